/** Burst size, and long-term rate per minute. */
export interface Allowance {
  readonly burst: number
  readonly perMinute: number
}

export interface Allowances {
  /**
   * Returns 0 if the call is within its key's allowance, and counts it; otherwise the seconds until it would be. An
   * expensive call counts several times, but never more than the burst.
   */
  take(key: string, allowance: Allowance, count?: number): number
}

// Beyond this the least recently used keys are dropped: their buckets are full again anyway.
const MOST_KEYS = 50_000

/** A token bucket for every key, refilled over time. */
export function openAllowances(now: () => number): Allowances {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()
  return {
    take(key, { burst, perMinute }, count = 1) {
      const price = Math.min(count, burst)
      const time = now()
      const known = buckets.get(key)
      const left = Math.min(burst, (known?.left ?? burst) + ((time - (known?.at ?? time)) / 60_000) * perMinute)
      // Deleted and set again to move the key to the end: a map keeps insertion order.
      buckets.delete(key)
      buckets.set(key, { left: left >= price ? left - price : left, at: time })
      if (buckets.size > MOST_KEYS) buckets.delete(buckets.keys().next().value!)
      return left >= price ? 0 : Math.ceil(((price - left) / perMinute) * 60)
    },
  }
}
