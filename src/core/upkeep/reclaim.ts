const WORTH_SHARE = 0.2
const WORTH_BYTES = 1024 ** 2

/** Returning space rewrites the whole index, so a little waste is left for later; not so when the limit is exceeded. */
export function isWorthReclaiming(usage: { readonly bytes: number; readonly wasted: number }, isOverLimit: boolean): boolean {
  if (isOverLimit) return usage.wasted > 0
  return usage.wasted >= WORTH_BYTES && usage.wasted >= usage.bytes * WORTH_SHARE
}
