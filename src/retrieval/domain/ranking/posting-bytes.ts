/** The postings of a term in an index segment: ascending positions, with the frequency at each. */
export interface Postings {
  readonly places: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

const HEADER = 6

/**
 * One or two bytes for most postings. The first three bytes are the number of postings, the next three the number of
 * documents, so that a server can add both up without reading on; consecutive lists need no separator.
 */
export function packPostings({ places, counts }: Postings, documents: number): Uint8Array {
  const most = HEADER + places.length * MOST_OF_ONE
  if (scratch.length < most) scratch = new Uint8Array(2 * most)
  putThree(0, places.length)
  putThree(3, documents)
  let [at, next] = [HEADER, 0]
  for (let i = 0; i < places.length; i++) {
    const [place, count] = [places[i]!, counts[i]!]
    at = put(at, (place - next) * 2 + (count > 1 ? 1 : 0))
    if (count > 1) at = put(at, count)
    next = place + 1
  }
  return scratch.slice(0, at)
}

/** A position and a count of five bytes each. */
const MOST_OF_ONE = 10
let scratch = new Uint8Array(1024)

function put(from: number, number: number): number {
  let [at, left] = [from, number]
  for (; left > 127; left >>>= 7) scratch[at++] = (left & 127) | 128
  scratch[at++] = left
  return at
}

function putThree(at: number, number: number): void {
  scratch[at] = number >>> 16
  scratch[at + 1] = number >>> 8
  scratch[at + 2] = number
}

export interface PackedHeader {
  readonly chunks: number
  readonly documents: number
}

export const headerAt = (bytes: Uint8Array, at: number): PackedHeader => ({
  chunks: threeAt(bytes, at),
  documents: threeAt(bytes, at + 3),
})

/** Visits the postings of the list that begins at `from`, and returns its end. */
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

/** Seven bits per byte, lowest first; the eighth marks that more follow. */
export function putNumber(to: number[], number: number): void {
  let left = number
  for (; left > 127; left = Math.floor(left / 128)) to.push((left % 128) + 128)
  to.push(left)
}

const threeAt = (bytes: Uint8Array, at: number): number => (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
