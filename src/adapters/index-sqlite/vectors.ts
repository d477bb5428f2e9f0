import type { MeaningRows } from '../../core/search/answer-question.ts'
import type { RankedRows } from '../../core/search/rank-documents.ts'
import type { QuantizedVector } from '../../core/search/vector.ts'
import type { VectorScan } from '../../ports/vector-scan.ts'
import type { IndexDatabase } from './database.ts'
import type { Resident } from './resident.ts'

export type OpenScan = (dimensions: number) => VectorScan

/** The vectors of one embedder in one buffer. Chunks that are gone keep their place in it and are masked out. */
export function openVectors(database: IndexDatabase, openScan: OpenScan, embedder: string) {
  let scan: VectorScan | undefined
  let chunkAt: number[] = []
  let placeOf = new Map<number, number>()
  let seen = { generation: -1, epoch: -1 }

  function refresh(dimensions: number): VectorScan {
    const now = { generation: database.number('generation'), epoch: database.number('epoch') }
    if (scan === undefined || now.epoch !== seen.epoch) {
      scan?.close()
      scan = openScan(dimensions)
      chunkAt = []
      placeOf = new Map()
      seen = { ...now, generation: -1 }
    }
    if (now.generation === seen.generation) return scan
    const sql = 'SELECT chunk, scale, data FROM vector WHERE embedder = ?'
    const rows = (seen.generation === -1 ? database.rows(sql, embedder) : database.rows(`${sql} AND generation > ?`, embedder, seen.generation)) as [number, number, Uint8Array][]
    const fresh = rows.filter(([, , data]) => data.byteLength === dimensions)
    const bytes = new Int8Array(fresh.length * dimensions)
    fresh.forEach(([, , data], i) => bytes.set(new Int8Array(data.buffer, data.byteOffset, dimensions), i * dimensions))
    const first = scan.add(bytes, Float32Array.from(fresh, ([, scale]) => scale))
    fresh.forEach(([chunk], i) => {
      chunkAt.push(chunk)
      placeOf.set(chunk, first + i)
    })
    seen = now
    return scan
  }

  /** Call it inside the same `look` as the resident. */
  return (query: QuantizedVector, resident: Resident, rows: RankedRows): MeaningRows => {
    const scanned = refresh(query.bytes.length)
    const mask = new Uint8Array(Math.ceil(scanned.size / 8))
    chunkAt.forEach((chunk, place) => {
      const row = resident.rowOf[chunk] ?? -1
      if (row >= 0 && placeOf.get(chunk) === place && rows.worth[rows.ownerOf[row]!]! > 0) mask[place >> 3]! |= 1 << (place & 7)
    })
    const top = (count: number, allowed: Uint8Array) => scanned.top(query, count, allowed).map(({ row, score }) => ({ row: resident.rowOf[chunkAt[row]!]!, score }))
    return {
      nearest: (count) => top(count, mask),
      of(wanted) {
        const own = new Uint8Array(mask.length)
        let count = 0
        for (const row of wanted) {
          const place = placeOf.get(resident.chunkOf[row]!)
          if (place === undefined) continue
          own[place >> 3]! |= 1 << (place & 7)
          count++
        }
        return new Map(top(count, own).map(({ row, score }) => [row, score]))
      },
    }
  }
}
