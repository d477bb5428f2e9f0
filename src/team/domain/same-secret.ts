/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  let differs = one.length ^ other.length
  for (let at = 0; at < one.length; at++) differs |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return differs === 0
}
