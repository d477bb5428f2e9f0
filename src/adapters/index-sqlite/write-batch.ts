import { createHash } from 'node:crypto'
import type { DocumentFacts } from '../../core/search/indexed-document.ts'
import type { IndexBatch } from '../../ports/search-index.ts'
import { forgetOutline, insertOutline } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { insertSegment, joinLast } from './segments.ts'

/** The same for the same document in every index ever made, and small enough for an exact number: 48 bits. */
const documentId = (collection: string, path: string): number => createHash('sha256').update(`${collection}\0${path}`).digest().readUIntBE(0, 6)

export function writeBatch(database: IndexDatabase, batch: IndexBatch): void {
  database.change((generation) => {
    for (const { collection, path, size, mtime } of batch.restamped) {
      database.run('UPDATE document SET size = ?, mtime = ? WHERE collection = ? AND path = ?', size, mtime, collection, path)
    }
    for (const { collection, path } of batch.removed) forget(database, generation, { collection, path })
    if (batch.documents.length === 0) return
    const first = database.number('next_chunk')
    let next = first
    for (const { facts, chunks, outline } of batch.documents) {
      forget(database, generation, facts)
      insertDocument(database, facts, { generation, first: next, count: chunks.length })
      if (outline !== undefined) insertOutline(database, documentId(facts.collection, facts.path), outline)
      for (const { startLine, endLine, heading } of chunks) {
        database.run('INSERT INTO chunk VALUES (?, ?, ?, ?)', next++, startLine, endLine, heading)
      }
    }
    database.run("UPDATE meta SET value = ? WHERE key = 'next_chunk'", next)
    const lengths = Uint32Array.from(batch.documents.flatMap(({ chunks }) => chunks.map(({ length }) => length)))
    insertSegment(database, { first, lengths, postings: batch.postings })
    joinLast(database)
  })
}

function insertDocument(database: IndexDatabase, facts: DocumentFacts, place: { generation: number; first: number; count: number }): void {
  database.run(
    `INSERT INTO document (id, collection, path, title, origin, trust, project, tags, modified, size, mtime, hash, superseded_by, first_chunk, chunks, generation, project_hash, place)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    documentId(facts.collection, facts.path), facts.collection, facts.path, facts.title, facts.origin, facts.trust, facts.project ?? null, JSON.stringify(facts.tags),
    facts.modified, facts.size, facts.mtime, facts.hash, facts.supersededBy ?? null, place.first, place.count, place.generation, facts.workspace, placeOf(database, facts),
  )
}

function placeOf(database: IndexDatabase, { collection, origin, workspace, project = '' }: DocumentFacts): number {
  const find = () => database.rows('SELECT id FROM place WHERE collection = ? AND origin = ? AND project_hash = ? AND project = ?', collection, origin, workspace, project) as [number][]
  const [known] = find()
  if (known !== undefined) return known[0]
  database.run('INSERT INTO place (collection, origin, project_hash, project) VALUES (?, ?, ?, ?)', collection, origin, workspace, project)
  return find()[0]![0]
}

/** Its postings stay until the next compaction; readers know from `removed` that they count no more. */
function forget(database: IndexDatabase, generation: number, { collection, path }: { collection: string; path: string }): void {
  for (const [id, first, count] of database.rows('SELECT id, first_chunk, chunks FROM document WHERE collection = ? AND path = ?', collection, path) as [number, number, number][]) {
    database.run('DELETE FROM document WHERE id = ?', id)
    forgetOutline(database, id)
    database.run('DELETE FROM chunk WHERE id >= ? AND id < ?', first, first + count)
    for (const embedder of embeddersOf(database)) database.run('DELETE FROM vector WHERE embedder = ? AND chunk >= ? AND chunk < ?', embedder, first, first + count)
    database.run('INSERT INTO removed VALUES (?, ?)', generation, id)
  }
}

/** A skip scan: DISTINCT would read every vector. */
export function embeddersOf(database: IndexDatabase): string[] {
  const names: string[] = []
  for (let next = ''; ; ) {
    const [found] = database.rows('SELECT min(embedder) FROM vector WHERE embedder > ?', next)[0] as [string | null]
    if (found === null) return names
    names.push((next = found))
  }
}
