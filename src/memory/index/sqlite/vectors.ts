import type { MeaningRows } from '../../../retrieval/domain/ranking/hybrid-search.ts'
import { OUT, type RankedRows } from '../../../retrieval/domain/ranking/rank-documents.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { VectorScan } from '../../../retrieval/ports/vector-scan.ts'
import type { IndexDatabase } from './database.ts'
import type { LoadedIndex } from './loaded-index.ts'
import { mustBe, plus } from './seal.ts'
import { shelvesOf, vectorsSince } from './shelves.ts'

export type OpenScan = (dimensions: number) => VectorScan

/** The vectors of one embedder in one buffer. Removed chunks keep their position in it and are masked out. */
export function openVectors(database: IndexDatabase, openScan: OpenScan, embedder: string) {
  let scan: VectorScan | undefined
  let chunkAt: number[] = []
  let placeOf = new Map<number, number>()
  let sealAt: number[] = []
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
      chunkAt = []
      sealAt = []
      placeOf = new Map()
      seen = { ...now, generation: -1 }
    }
    if (now.generation === seen.generation) return scan
    const since = seen.generation
    seen = { incarnation: -1, generation: -1, epoch: -1 }
    const fresh = vectorsSince(database, embedder, since)
    const bytes = new Int8Array(fresh.length * dimensions)
    // A vector of another size is not compared, but still counted.
    fresh.forEach(
      ({ data }, i) =>
        data.byteLength === dimensions &&
        bytes.set(new Int8Array(data.buffer, data.byteOffset, dimensions), i * dimensions),
    )
    const first = scan.add(
      bytes,
      Float32Array.from(fresh, ({ data, scale }) => (data.byteLength === dimensions ? scale : 0)),
    )
    fresh.forEach(({ chunk, seal }, i) => {
      chunkAt.push(chunk)
      sealAt.push(seal)
      placeOf.set(chunk, first + i)
    })
    let tally = 0
    for (const [chunk, place] of placeOf) if ((loaded.rowOf[chunk] ?? -1) >= 0) tally = plus(tally, sealAt[place]!)
    mustBe(tally, shelvesOf(database, head).find((shelf) => shelf.embedder === embedder)?.tally ?? 0, 'its vectors are')
    seen = now
    return scan
  }

  /** Must be called inside the same `look` in which the index was loaded. */
  return (query: QuantizedVector, loaded: LoadedIndex, rows: RankedRows): MeaningRows => {
    const scanned = refresh(query.bytes.length, loaded)
    const mask = new Uint8Array(Math.ceil(scanned.size / 8))
    chunkAt.forEach((chunk, place) => {
      const row = loaded.rowOf[chunk] ?? -1
      if (row >= 0 && placeOf.get(chunk) === place && rows.standing[rows.ownerOf[row]!] !== OUT)
        mask[place >> 3]! |= 1 << (place & 7)
    })
    return {
      nearest: (count) =>
        scanned.top(query, count, mask).map(({ row, score }) => ({ row: loaded.rowOf[chunkAt[row]!]!, score })),
      of(wanted) {
        const own = new Uint8Array(mask.length)
        const places = new Map<number, number>()
        for (const row of wanted) {
          const place = placeOf.get(loaded.chunkOf[row]!)
          if (place === undefined) continue
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
