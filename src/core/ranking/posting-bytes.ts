/** Where a term stands in a segment of an index: places in ascending order, and how often it stands at each. */
export interface Postings {
  readonly places: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

const HEADER = 6

/**
 * One or two bytes for most postings. The first three bytes say how many there are, the next three how many documents
 * they are of, so that a server can add both up without reading on; and lists that follow each other need nothing
 * between them.
 */
export function packPostings({ places, counts }: Postings, documents: number): Uint8Array {
  const bytes: number[] = [...threeBytes(places.length), ...threeBytes(documents)]
  let next = 0
  for (let i = 0; i < places.length; i++) {
    const [place, count] = [places[i]!, counts[i]!]
    putNumber(bytes, (place - next) * 2 + (count > 1 ? 1 : 0))
    if (count > 1) putNumber(bytes, count)
    next = place + 1
  }
  return Uint8Array.from(bytes)
}

export interface PackedHeader {
  readonly chunks: number
  readonly documents: number
}

export const headerAt = (bytes: Uint8Array, at: number): PackedHeader => ({
  chunks: threeAt(bytes, at),
  documents: threeAt(bytes, at + 3),
})

/** Visits the postings of the list that begins at `from`, and gives where it ends. */
export function eachPosting(bytes: Uint8Array, from: number, visit: (place: number, count: number) => void): number {
  let place = 0
  let at = from + HEADER
  for (let left = threeAt(bytes, from); left > 0; left--) {
    let packed = bytes[at++]!
    if (packed > 127) {
      packed &= 127
      for (let shift = 7, more = 128; more > 127; shift += 7) {
        more = bytes[at++]!
        packed |= (more & 127) << shift
      }
    }
    place += packed >>> 1
    let count = 1
    if ((packed & 1) === 1) {
      count = 0
      for (let shift = 0, more = 128; more > 127; shift += 7) {
        more = bytes[at++]!
        count |= (more & 127) << shift
      }
    }
    visit(place++, count)
  }
  return at
}

/** Seven bits in a byte, the lowest first; the eighth says that there are more. */
export function putNumber(to: number[], number: number): void {
  let left = number
  for (; left > 127; left = Math.floor(left / 128)) to.push((left % 128) + 128)
  to.push(left)
}

const threeBytes = (number: number): number[] => [number >>> 16, (number >>> 8) & 255, number & 255]
const threeAt = (bytes: Uint8Array, at: number): number => (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
