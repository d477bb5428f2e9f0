const WORTH_SHARE = 0.2
const WORTH_BYTES = 1024 ** 2
// Else an index that cannot be brought below the limit would be rewritten in every cycle.
const WORTH_SHARE_OVER_LIMIT = 0.02

/** Returning space rewrites the whole index, so a little waste is left for later; not so when the limit is exceeded. */
export function isWorthReclaiming(
  usage: { readonly bytes: number; readonly wasted: number },
  isOverLimit: boolean,
): boolean {
  if (isOverLimit) return usage.wasted > usage.bytes * WORTH_SHARE_OVER_LIMIT
  return usage.wasted >= WORTH_BYTES && usage.wasted >= usage.bytes * WORTH_SHARE
}
