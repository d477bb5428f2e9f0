let buffer = new Uint16Array(1 << 16)

/**
 * Character codes of a text, which are read several times faster than the text. Valid until the next call; terminated
 * by a 0.
 */
export function codesOf(text: string): Uint16Array {
  if (text.length >= buffer.length) buffer = new Uint16Array(2 * text.length)
  for (let i = 0; i < text.length; i++) buffer[i] = text.charCodeAt(i)
  buffer[text.length] = 0
  return buffer.subarray(0, text.length + 1)
}

export interface SliceCache<T> {
  /** `hash` is the hash of the slice, if the caller has already computed it. */
  get(codes: Uint16Array, start: number, end: number, hash?: number): T
  clear(): void
}

/**
 * Caches the result of `make` for short slices of texts. Codes are compared in place, so a hit allocates nothing. A
 * slice has two possible slots; a third one replaces the older, so the memory is fixed. `slots` is a power of two.
 */
export function cacheSlices<T>(slots: number, make: (slice: string) => T): SliceCache<T> {
  const keys = new Uint16Array(slots * SLOT)
  const values: T[] = []
  return {
    get(codes, start, end, hash = hashSlice(codes, start, end)) {
      const length = end - start
      if (length < 1 || length >= SLOT) return make(textOf(codes, start, end))
      const newer = (hash ^ (hash >>> 15)) & (slots - 1) & ~1
      const key = newer * SLOT
      if (isSlice(keys, key, codes, start, length)) return values[newer]!
      if (isSlice(keys, key + SLOT, codes, start, length)) return values[newer + 1]!
      const value = make(textOf(codes, start, end))
      keys.copyWithin(key + SLOT, key, key + SLOT)
      values[newer + 1] = values[newer]!
      keys[key] = length
      for (let i = 0; i < length; i++) keys[key + 1 + i] = codes[start + i]!
      values[newer] = value
      return value
    },
    clear() {
      keys.fill(0)
      values.length = 0
    },
  }
}

// One slot is 64 bytes, a cache line: the length, then the codes.
const SLOT = 32

function isSlice(keys: Uint16Array, key: number, codes: Uint16Array, start: number, length: number): boolean {
  if (keys[key] !== length) return false
  for (let i = 0; i < length; i++) if (keys[key + 1 + i] !== codes[start + i]) return false
  return true
}

/** Hash step of a slice, folded over its codes starting with 0. */
export const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

function hashSlice(codes: Uint16Array, start: number, end: number): number {
  let hash = 0
  for (let i = start; i < end; i++) hash = mixHash(hash, codes[i]!)
  return hash
}

const AT_ONCE = 4096

function textOf(codes: Uint16Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += AT_ONCE)
    text += String.fromCharCode.apply(undefined, codes.subarray(at, Math.min(end, at + AT_ONCE)) as unknown as number[])
  return text
}
