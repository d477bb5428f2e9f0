import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { SearchIndex } from '../../ports/search-index.ts'
import type { IndexDatabase } from './database.ts'
import type { Head } from './head.ts'
import { minus, mustBe, plus, sealOf } from './seal.ts'

/** The vectors of one embedder. */
export interface StateTables {
  readonly embedder: string
  vectors: number
  /** Sum of the seals of all vectors. */
  tally: number
}

export interface VectorRow {
  readonly chunk: number
  readonly scale: number
  readonly data: Uint8Array
  readonly generation: number
  readonly seal: number
}

export function shelvesOf(database: IndexDatabase, head: Head): StateTables[] {
  let all = 0
  const shelves = (
    database.rows('SELECT embedder, vectors, tally, seal FROM shelf') as [string, number, number, number][]
  ).map(([embedder, vectors, tally, seal]) => {
    mustBe(sealOf(embedder, vectors, tally), seal, 'a shelf of vectors is')
    all = plus(all, seal)
    return { embedder, vectors, tally }
  })
  mustBe(all, head.shelves, 'its shelves of vectors are')
  return shelves
}

/** One change to the vectors of an embedder. */
export function changeRegistry(
  database: IndexDatabase,
  head: Head,
  embedder: string,
  work: (shelf: StateTables) => void,
): void {
  const found = shelvesOf(database, head).find((shelf) => shelf.embedder === embedder)
  const shelf = found ?? { embedder, vectors: 0, tally: 0 }
  const before = found === undefined ? 0 : sealOf(embedder, found.vectors, found.tally)
  work(shelf)
  const seal = shelf.vectors === 0 ? 0 : sealOf(embedder, shelf.vectors, shelf.tally)
  if (seal === 0) database.run('DELETE FROM shelf WHERE embedder = ?', embedder)
  else database.run('INSERT OR REPLACE INTO shelf VALUES (?, ?, ?, ?)', embedder, shelf.vectors, shelf.tally, seal)
  head.shelves = plus(minus(head.shelves, before), seal)
}

export function storeInto(database: IndexDatabase): SearchIndex['storeVectors'] {
  return async (embedder, made) =>
    database.change((head) =>
      changeRegistry(database, head, embedder, (shelf) => {
        for (const { chunk, epoch, vector } of made) {
          if ((epoch ?? head.epoch) !== head.epoch) continue
          if (database.rows('SELECT 1 FROM chunk WHERE id = ?', chunk).length === 0) continue
          takeVectors(database, shelf, chunk, 1)
          addVector(database, shelf, { chunk, vector, generation: head.generation })
        }
      }),
    )
}

const VECTOR = 'SELECT chunk, scale, data, generation, seal FROM vector WHERE embedder = ?'

/** All vectors added after a generation, read during iteration. The caller must check that they are complete. */
export function* vectorsSince(database: IndexDatabase, embedder: string, generation: number): Generator<VectorRow> {
  const rows =
    generation === -1
      ? database.each(VECTOR, embedder)
      : database.each(`${VECTOR} AND generation > ?`, embedder, generation)
  for (const row of rows) yield toVector(embedder, row)
}

/** The chunk must not have a vector yet. */
export function addVector(
  database: IndexDatabase,
  shelf: StateTables,
  { chunk, vector, generation }: { chunk: number; vector: QuantizedVector; generation: number },
): void {
  const data = new Uint8Array(vector.bytes.buffer, vector.bytes.byteOffset, vector.bytes.length)
  const seal = sealOf(chunk, shelf.embedder, vector.scale, data, generation)
  database.run(
    'INSERT INTO vector (chunk, embedder, scale, data, generation, seal) VALUES (?, ?, ?, ?, ?, ?)',
    chunk,
    shelf.embedder,
    vector.scale,
    data,
    generation,
    seal,
  )
  shelf.vectors++
  shelf.tally = plus(shelf.tally, seal)
}

export function takeVectors(database: IndexDatabase, shelf: StateTables, first: number, count: number): void {
  for (const [seal] of database.rows(
    'SELECT seal FROM vector WHERE embedder = ? AND chunk >= ? AND chunk < ?',
    shelf.embedder,
    first,
    first + count,
  ) as [number][]) {
    shelf.vectors--
    shelf.tally = minus(shelf.tally, seal)
  }
  database.run(
    'DELETE FROM vector WHERE embedder = ? AND chunk >= ? AND chunk < ?',
    shelf.embedder,
    first,
    first + count,
  )
}

function toVector(embedder: string, row: readonly unknown[]): VectorRow {
  const [chunk, scale, data, generation, seal] = row as [number, number, Uint8Array, number, number]
  mustBe(sealOf(chunk, embedder, scale, data, generation), seal, 'a vector is')
  return { chunk, scale, data, generation, seal }
}
