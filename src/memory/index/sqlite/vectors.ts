import type { MeaningRows } from '../../../retrieval/domain/ranking/hybrid-search.ts'
import { OUT, type RankedRows } from '../../../retrieval/domain/ranking/rank-documents.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { VectorScan } from '../../../retrieval/ports/vector-scan.ts'
import type { IndexDatabase } from './database.ts'
import type { LoadedIndex } from './loaded-index.ts'
import { mustBe, plus } from './seal.ts'
import { shelvesOf, vectorsSince, type VectorRow } from './shelves.ts'

export type OpenScan = (dimensions: number) => VectorScan

// Number of vectors copied into the scan at once.
const BLOCK = 1024

/** The vectors of one embedder in one buffer. Removed chunks keep their position in it and are masked out. */
export function openVectors(database: IndexDatabase, openScan: OpenScan, embedder: string) {
  let scan: VectorScan | undefined
  /** Chunk ids and seals by position; the position by chunk id is in `placeOf`, -1 for none. */
  let [chunkAt, sealAt, placeOf] = [new Uint32Array(), new Uint32Array(), new Int32Array()]
  let seen = { incarnation: -1, generation: -1, epoch: -1 }

  function refresh(dimensions: number, loaded: LoadedIndex): VectorScan {
    const head = database.head()
    const now = { incarnation: database.incarnation, generation: head.generation, epoch: head.epoch }
    if (
      scan === undefined ||
      now.epoch !== seen.epoch ||
      now.incarnation !== seen.incarnation ||
      now.generation < seen.generation
    ) {
      scan?.close()
      scan = openScan(dimensions)
      placeOf = new Int32Array()
      seen = { ...now, generation: -1 }
    }
    if (now.generation === seen.generation) return scan
    const since = seen.generation
    seen = { incarnation: -1, generation: -1, epoch: -1 }
    placeOf = longer(placeOf, new Int32Array(head.nextChunk).fill(-1))
    const shelf = shelvesOf(database, head).find((one) => one.embedder === embedder)
    // The buffers grow to the number of vectors at once: most are new when a process starts.
    const room = Math.max(scan.size, shelf?.vectors ?? 0)
    ;[chunkAt, sealAt] = [longer(chunkAt, new Uint32Array(room)), longer(sealAt, new Uint32Array(room))]
    addAll(scan, vectorsSince(database, embedder, since))
    let tally = 0
    placeOf.forEach((place, chunk) => {
      if (place >= 0 && (loaded.rowOf[chunk] ?? -1) >= 0) tally = plus(tally, sealAt[place]!)
    })
    mustBe(tally, shelf?.tally ?? 0, 'its vectors are')
    seen = now
    return scan
  }

  /** Rows are copied one at a time: collecting them until a block is full would fill the heap. */
  function addAll(into: VectorScan, rows: Iterable<VectorRow>): void {
    const { dimensions } = into
    const [bytes, scales] = [new Int8Array(BLOCK * dimensions), new Float32Array(BLOCK)]
    let count = 0
    const flush = (): void => {
      into.add(bytes.subarray(0, count * dimensions), scales.subarray(0, count))
      count = 0
    }
    for (const { chunk, seal, data, scale } of rows) {
      const place = into.size + count
      if (place >= chunkAt.length) {
        const room = Math.ceil((place + 1) * 1.25)
        ;[chunkAt, sealAt] = [longer(chunkAt, new Uint32Array(room)), longer(sealAt, new Uint32Array(room))]
      }
      // A vector of another size is not compared but counted.
      const isComparable = data.byteLength === dimensions
      if (isComparable) bytes.set(new Int8Array(data.buffer, data.byteOffset, dimensions), count * dimensions)
      scales[count] = isComparable ? scale : 0
      chunkAt[place] = chunk
      sealAt[place] = seal
      placeOf[chunk] = place
      if (++count === BLOCK) flush()
    }
    if (count > 0) flush()
  }

  /** Must be called inside the same `look` in which the index was loaded. */
  return (query: QuantizedVector, loaded: LoadedIndex, rows: RankedRows): MeaningRows => {
    const scanned = refresh(query.bytes.length, loaded)
    const mask = new Uint8Array(Math.ceil(scanned.size / 8))
    for (let row = 0; row < rows.size; row++) {
      const place = placeOf[loaded.chunkOf[row]!]!
      if (place >= 0 && rows.standing[rows.ownerOf[row]!] !== OUT) mask[place >> 3]! |= 1 << (place & 7)
    }
    return {
      nearest: (count) =>
        scanned.top(query, count, mask).map(({ row, score }) => ({ row: loaded.rowOf[chunkAt[row]!]!, score })),
      of(wanted) {
        const own = new Uint8Array(mask.length)
        const places = new Map<number, number>()
        for (const row of wanted) {
          const place = placeOf[loaded.chunkOf[row]!]!
          if (place < 0) continue
          own[place >> 3]! |= 1 << (place & 7)
          places.set(row, place)
        }
        const scores = scanned.scores(query, own)
        for (const [row, place] of places) places.set(row, scores[place]!)
        return places
      },
    }
  }
}

/** The longer of the two, with the values of the first. */
function longer<T extends Uint32Array | Int32Array>(numbers: T, room: T): T {
  if (room.length <= numbers.length) return numbers
  room.set(numbers)
  return room
}
