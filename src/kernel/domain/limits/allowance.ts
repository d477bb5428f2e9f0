/** So many at once, and so many a minute in the long run. */
export interface Allowance {
  readonly burst: number
  readonly perMinute: number
}

export interface Allowances {
  /**
   * 0 when the call is within what its key is allowed, and counted; otherwise the seconds after which it would be. One
   * that costs more than others counts as so many, and never as more than may come at once.
   */
  take(key: string, allowance: Allowance, count?: number): number
}

// Those that were not heard of for longest are full again anyway.
const MOST_KEYS = 50_000

/** A bucket of tokens for every key, filled as time goes by. */
export function openAllowances(now: () => number): Allowances {
  const buckets = new Map<string, { readonly left: number; readonly at: number }>()
  return {
    take(key, { burst, perMinute }, count = 1) {
      const price = Math.min(count, burst)
      const time = now()
      const known = buckets.get(key)
      const left = Math.min(burst, (known?.left ?? burst) + ((time - (known?.at ?? time)) / 60_000) * perMinute)
      // Moved to the end: a map keeps the order in which keys came in.
      buckets.delete(key)
      buckets.set(key, { left: left >= price ? left - price : left, at: time })
      if (buckets.size > MOST_KEYS) buckets.delete(buckets.keys().next().value!)
      return left >= price ? 0 : Math.ceil(((price - left) / perMinute) * 60)
    },
  }
}
