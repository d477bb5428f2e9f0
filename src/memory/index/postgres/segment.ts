import { putNumber } from '../../../retrieval/domain/ranking/posting-bytes.ts'

/** Bits of `marks`: facts about a chunk that are not in its text. */
export const REPLY = 1
export const TEST = 2

/** Document of a segment, or the gap of a removed one, which keeps later places unchanged. */
export interface SegmentPart {
  /** Undefined if the document was removed. */
  readonly id: number | undefined
  readonly firstChunk: number
  /** Token count of each chunk. */
  readonly lengths: readonly number[]
  readonly marks: readonly number[]
  readonly isSuperseded: boolean
}

const [GONE, ASIDE] = [1, 2]

/** Packs the documents of a segment, in order of place, into one value. */
export function packParts(parts: readonly SegmentPart[]): Uint8Array {
  const bytes: number[] = []
  for (const { id, firstChunk, lengths, marks, isSuperseded } of parts) {
    putNumber(bytes, lengths.length * 4 + (id === undefined ? GONE : isSuperseded ? ASIDE : 0))
    if (id === undefined) continue
    putNumber(bytes, id)
    putNumber(bytes, firstChunk)
    lengths.forEach((length, i) => putNumber(bytes, length * 4 + marks[i]!))
  }
  return Uint8Array.from(bytes)
}

export function readParts(bytes: Uint8Array): SegmentPart[] {
  let at = 0
  const next = (): number => {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!
      number += (byte & 127) * scale
      if (byte < 128) return number
    }
  }
  const parts: SegmentPart[] = []
  while (at < bytes.length) {
    const head = next()
    const size = head >>> 2
    if ((head & GONE) > 0) {
      parts.push({
        id: undefined,
        firstChunk: 0,
        lengths: Array.from({ length: size }, () => 0),
        marks: [],
        isSuperseded: false,
      })
      continue
    }
    const [id, firstChunk] = [next(), next()]
    const packed = Array.from({ length: size }, next)
    parts.push({
      id,
      firstChunk,
      lengths: packed.map((one) => one >>> 2),
      marks: packed.map((one) => one & 3),
      isSuperseded: (head & ASIDE) > 0,
    })
  }
  return parts
}

/** Index of the part that each place belongs to. */
export const ownersOf = (parts: readonly SegmentPart[]): Uint32Array =>
  Uint32Array.from(parts.flatMap(({ lengths }, part) => lengths.map(() => part)))
