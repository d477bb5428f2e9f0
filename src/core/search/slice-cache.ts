/**
 * Remembers what `make` gave for short slices of texts. It compares character codes in place, so a hit allocates nothing;
 * a slice that falls on a taken slot replaces it, so the memory is fixed. `slots` is a power of two.
 * A caller that has read the slice anyway passes its hash.
 */
export function cacheSlices<T>(slots: number, make: (slice: string) => T): (text: string, start: number, end: number, hash?: number) => T {
  // One slot is 64 bytes, a cache line: the length, then the codes.
  const keys = new Uint16Array(slots * SLOT)
  const values: T[] = []
  return (text, start, end, hash = hashSlice(text, start, end)) => {
    const length = end - start
    if (length < 1 || length >= SLOT) return make(text.slice(start, end))
    const slot = (hash ^ (hash >>> 15)) & (slots - 1)
    const key = slot * SLOT
    if (keys[key] === length && isSame(keys, key + 1, { text, start, end })) return values[slot]!
    for (let i = 0; i < length; i++) keys[key + 1 + i] = text.charCodeAt(start + i)
    keys[key] = 0
    const value = make(copyOf(text, start, end))
    keys[key] = length
    values[slot] = value
    return value
  }
}

/** The hash of a slice is this over its codes, beginning with 0. */
export const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

function hashSlice(text: string, start: number, end: number): number {
  let hash = 0
  for (let i = start; i < end; i++) hash = mixHash(hash, text.charCodeAt(i))
  return hash
}

const SLOT = 32

function isSame(keys: Uint16Array, key: number, { text, start, end }: { text: string; start: number; end: number }): boolean {
  for (let i = start; i < end; i++) if (keys[key + i - start] !== text.charCodeAt(i)) return false
  return true
}

/** A slice that does not keep the whole text in memory: engines copy only short ones. */
function copyOf(text: string, start: number, end: number): string {
  if (end - start < 13) return text.slice(start, end)
  let copy = ''
  for (let i = start; i < end; i++) copy += text[i]
  return copy
}
