import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import type { StoredChunk } from '../../ports/search-index.ts'
import type { IndexDatabase } from './database.ts'
import { mustBe, sealOf } from './seal.ts'

const CHUNK = 'SELECT id, start_line, end_line, heading, seal FROM chunk'

/** Reads a chunk; throws `IndexDamaged` if it is missing. */
export function chunkOf(database: IndexDatabase, id: number): StoredChunk {
  const [row] = database.rows(`${CHUNK} WHERE id = ?`, id)
  if (row === undefined) throw new IndexDamaged('a part of a document is gone')
  return toChunk(row)
}

export const chunksFrom = (database: IndexDatabase, first: number, count: number): StoredChunk[] =>
  database.rows(`${CHUNK} WHERE id >= ? AND id < ?`, first, first + count).map(toChunk)

export function putChunk(database: IndexDatabase, { id, startLine, endLine, heading }: StoredChunk): void {
  database.run(
    'INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?)',
    id,
    startLine,
    endLine,
    heading,
    sealOf(id, startLine, endLine, heading),
  )
}

/** Records that a document was removed, with its chunks. */
export function putRemoved(
  database: IndexDatabase,
  { first, document, generation, chunks }: { first: number; document: number; generation: number; chunks: number },
): void {
  database.run(
    'INSERT OR REPLACE INTO removed VALUES (?, ?, ?, ?, ?)',
    first,
    document,
    generation,
    chunks,
    sealOf(first, document, generation, chunks),
  )
}

/**
 * The chunks of a range that still exist. Missing ones must have been removed; those of a long document may begin
 * before the range or end after it.
 */
export function liveChunks(database: IndexDatabase, from: number, to: number): Set<number> {
  const ids = database.rows('SELECT id FROM chunk WHERE id >= ? AND id < ?', from, to) as [number][]
  let gone = 0
  for (const [first, document, generation, chunks, seal] of database.rows(REMOVED, from, from, to) as number[][]) {
    mustBe(sealOf(first!, document!, generation!, chunks!), seal, 'a removal is')
    gone += Math.max(0, Math.min(first! + chunks!, to) - Math.max(first!, from))
  }
  mustBe(ids.length + gone, to - from, 'the parts of its documents are')
  return new Set(ids.map(([id]) => id))
}

// Documents do not overlap, so only the last one before the range may reach into it.
const REMOVED = `SELECT first, document, generation, chunks, seal FROM removed
  WHERE first >= coalesce((SELECT max(first) FROM removed WHERE first < ? AND chunks > 0), ?) AND first < ?`

function toChunk(row: readonly unknown[]): StoredChunk {
  const [id, startLine, endLine, heading, seal] = row as [number, number, number, string, number]
  mustBe(sealOf(id, startLine, endLine, heading), seal, 'a part of a document is')
  return { id, startLine, endLine, heading }
}
