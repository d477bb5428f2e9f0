import { type DocumentFacts, type Scope, scopeFilter } from '../../core/search/indexed-document.ts'
import { worthOf } from '../../core/search/document-worth.ts'
import type { RankedRows } from '../../core/search/rank-documents.ts'
import type { ChunkCorpus } from '../../core/search/score-chunks.ts'
import type { IndexDatabase } from './database.ts'
import { BLOCK } from './write-batch.ts'

/** What every question needs of every document, kept in memory and brought up to date by what changed since. */
export interface Resident {
  readonly corpus: ChunkCorpus
  /** Chunk ids by row, and rows by chunk id (-1 for one that is gone). */
  readonly chunkOf: Uint32Array
  readonly rowOf: Int32Array
  rows(scope: Scope): RankedRows
  documentAt(row: number): number
}

interface ResidentDocument extends Omit<Parameters<ReturnType<typeof scopeFilter>>[0], 'tags'>, Pick<DocumentFacts, 'supersededBy'> {
  readonly id: number
  readonly firstChunk: number
  readonly chunks: number
}

export function openResident(database: IndexDatabase) {
  const documents = new Map<number, ResidentDocument>()
  let seen = { generation: -1, epoch: -1 }
  let resident: Resident | undefined

  /** Call it inside `look`, so that the postings read later are of the same moment. */
  return (): Resident => {
    const now = { generation: database.number('generation'), epoch: database.number('epoch') }
    if (resident !== undefined && now.generation === seen.generation && now.epoch === seen.epoch) return resident
    const since = now.epoch === seen.epoch ? seen.generation : -1
    if (since === -1) documents.clear()
    else for (const [id] of database.rows('SELECT document FROM removed WHERE generation > ?', since)) documents.delete(id as number)
    for (const document of load(database, since)) documents.set(document.id, document)
    seen = now
    return (resident = arrange(database, [...documents.values()]))
  }
}

function load(database: IndexDatabase, since: number): ResidentDocument[] {
  const sql = 'SELECT id, collection, origin, project_hash, project, modified, superseded_by, first_chunk, chunks FROM document'
  const rows = since === -1 ? database.rows(sql) : database.rows(`${sql} WHERE generation > ?`, since)
  return (rows as [number, string, DocumentFacts['origin'], string, string | null, number, string | null, number, number][]).map(
    ([id, collection, origin, workspace, project, modified, supersededBy, firstChunk, chunks]) => ({
      id, collection, origin, workspace, modified, firstChunk, chunks, project: project ?? undefined, supersededBy: supersededBy ?? undefined,
    }),
  )
}

/** Token counts by chunk id. */
export function loadLengths(database: IndexDatabase): Uint32Array {
  const lengths = new Uint32Array(database.number('next_chunk'))
  for (const [block, data] of database.rows('SELECT id, lengths FROM block') as [number, Uint8Array][]) {
    lengths.set(new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2), block * BLOCK)
  }
  return lengths
}

function arrange(database: IndexDatabase, unsorted: ResidentDocument[]): Resident {
  // By id, which is the same in every index, or equal scores would come in the order in which files were indexed.
  const documents = unsorted.sort((a, b) => a.id - b.id)
  const size = documents.reduce((sum, { chunks }) => sum + chunks, 0)
  const blocks = Math.ceil(database.number('next_chunk') / BLOCK)
  const rowOf = new Int32Array(blocks * BLOCK).fill(-1)
  const [chunkOf, ownerOf, lengths] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
  const lengthOf = loadLengths(database)
  let row = 0
  let total = 0
  for (const [owner, { firstChunk, chunks }] of documents.entries()) {
    for (let chunk = firstChunk; chunk < firstChunk + chunks; chunk++) {
      chunkOf[row] = chunk
      rowOf[chunk] = row
      ownerOf[row] = owner
      lengths[row] = lengthOf[chunk]!
      total += lengthOf[chunk]!
      row++
    }
  }
  let tagsOf: Map<number, readonly string[]> | undefined
  return {
    chunkOf,
    rowOf,
    corpus: { size, lengths, averageLength: size === 0 ? 0 : total / size, postings: (term) => loadPostings(database, term, { blocks, rowOf }) },
    rows(scope) {
      const allows = scopeFilter(scope)
      if ((scope.tags?.length ?? 0) > 0) tagsOf ??= loadTags(database)
      const isAllowed = (document: ResidentDocument) => allows({ ...document, tags: tagsOf?.get(document.id) ?? [] })
      return { size, documents: documents.length, ownerOf, worth: Float32Array.from(documents, (document) => (isAllowed(document) ? worthOf(document) : 0)) }
    },
    documentAt: (at) => documents[ownerOf[at]!]!.id,
  }
}

function loadTags(database: IndexDatabase): Map<number, readonly string[]> {
  const rows = database.rows("SELECT id, tags FROM document WHERE tags <> '[]'") as [number, string][]
  return new Map(rows.map(([id, tags]) => [id, JSON.parse(tags) as string[]]))
}

function loadPostings(database: IndexDatabase, term: string, { blocks, rowOf }: { blocks: number; rowOf: Int32Array }): { docs: Uint32Array; counts: Uint16Array } {
  const found: { block: number; entries: Uint32Array }[] = []
  let size = 0
  for (let block = 0; block < blocks; block++) {
    for (const [data] of database.rows('SELECT data FROM posting WHERE block = ? AND term = ?', block, term) as [Uint8Array][]) {
      found.push({ block, entries: new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2) })
      size += data.byteLength >> 2
    }
  }
  const docs = new Uint32Array(size)
  const counts = new Uint16Array(size)
  let at = 0
  for (const { block, entries } of found) {
    for (const entry of entries) {
      const row = rowOf[block * BLOCK + (entry & 0xffff)]!
      if (row < 0) continue
      docs[at] = row
      counts[at++] = entry >>> 16
    }
  }
  return { docs: docs.subarray(0, at), counts: counts.subarray(0, at) }
}
