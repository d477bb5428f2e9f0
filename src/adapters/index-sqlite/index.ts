import { statSync } from 'node:fs'
import type { SQLInputValue } from 'node:sqlite'
import { answerQuestion } from '../../core/search/answer-question.ts'
import { rarityOf, scoreChunks } from '../../core/search/score-chunks.ts'
import { stem } from '../../core/search/stem.ts'
import type { IndexHit, IndexQuestion, SearchIndex, StoredDocument } from '../../ports/search-index.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import { openCodeGraph } from './code-graph.ts'
import { openIndexDatabase, type IndexDatabase } from './database.ts'
import { openResident } from './resident.ts'
import { openVectors, type OpenScan } from './vectors.ts'
import { writeInto } from './writer.ts'

const DOCUMENT = 'SELECT id, collection, path, title, origin, trust, project_hash, project, tags, modified, size, mtime, hash, superseded_by FROM document'

/** The index in one SQLite file, shared by every process of the user. */
export function openSqliteIndex({ path, openScan }: { path: string; openScan: OpenScan }): SearchIndex & { readonly code: CodeGraph } {
  const database = openIndexDatabase(path)
  const resident = openResident(database)
  const vectors = new Map<string, ReturnType<typeof openVectors>>()
  const vectorsOf = (embedder: string) => {
    const known = vectors.get(embedder) ?? openVectors(database, openScan, embedder)
    vectors.set(embedder, known)
    return known
  }

  return {
    elsewhere: path === ':memory:' ? undefined : { module: new URL(`./writer.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url).href, path },
    code: openCodeGraph(database),
    write: writeInto(database),
    search: async (question) => database.look(() => search(database, { question, now: resident(), vectorsOf })),
    async rarity() {
      const { corpus } = database.look(resident)
      return (word) => rarityOf(database.look(() => resident().corpus.postings(stem(word))).docs.length, corpus.size)
    },
    async documents({ collection, path: at, key }) {
      const given: [string, SQLInputValue | undefined][] = [['collection', collection], ['path', at], ['id', key === undefined ? undefined : parseInt(key, 16)]]
      const named = given.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
      const where = named.map(({ column }) => `${column} = ?`).join(' AND ')
      return database.rows(`${DOCUMENT}${where && ` WHERE ${where}`} ORDER BY path, collection`, ...named.map(({ value }) => value)).map(toDocument)
    },
    async unembedded(embedder, limit) {
      const sql = `SELECT d.id, c.id - d.first_chunk, c.id, c.start_line, c.end_line, c.heading FROM (
          SELECT id, first_chunk, chunks AS n FROM document
          WHERE EXISTS (SELECT 1 FROM chunk c WHERE c.id >= first_chunk AND c.id < first_chunk + chunks
                        AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.embedder = ?1 AND v.chunk = c.id))
          ORDER BY id LIMIT ?2
        ) d JOIN chunk c ON c.id >= d.first_chunk AND c.id < d.first_chunk + d.n
        WHERE NOT EXISTS (SELECT 1 FROM vector v WHERE v.embedder = ?1 AND v.chunk = c.id) ORDER BY d.id, c.id`
      const rows = database.rows(sql, embedder, limit) as [number, number, number, number, number, string][]
      return rows.map(([document, at, id, startLine, endLine, heading]) => ({ document, at, id, startLine, endLine, heading }))
    },
    async storeVectors(embedder, made) {
      database.change((generation) => {
        for (const { chunk, vector } of made) {
          if (database.rows('SELECT 1 FROM chunk WHERE id = ?', chunk).length === 0) continue
          database.run('INSERT OR REPLACE INTO vector (chunk, embedder, scale, data, generation) VALUES (?, ?, ?, ?, ?)', chunk, embedder, vector.scale, new Uint8Array(vector.bytes.buffer, vector.bytes.byteOffset, vector.bytes.length), generation)
        }
      })
    },
    status: async () => database.look(() => statusOf(database)),
    async close() {
      database.close()
    },
  }
}

interface Search {
  readonly question: IndexQuestion
  readonly now: ReturnType<ReturnType<typeof openResident>>
  readonly vectorsOf: (embedder: string) => ReturnType<typeof openVectors>
}

function search(database: IndexDatabase, { question, now, vectorsOf }: Search): IndexHit[] {
  const { terms, meaning, by, aboutAsker, scope, limit } = question
  const rows = now.rows(scope)
  const words = scoreChunks(terms, now.corpus)
  const meant = meaning && vectorsOf(meaning.embedder)(meaning.vector, now, rows)
  return answerQuestion(rows, words, meant, { by, limit, aboutAsker, beta: meaning?.beta }).map(({ row, ...facts }) => {
    const id = now.chunkOf[row]!
    const [startLine, endLine, heading] = database.rows('SELECT start_line, end_line, heading FROM chunk WHERE id = ?', id)[0] as [number, number, string]
    const document = toDocument(database.rows(`${DOCUMENT} WHERE id = ?`, now.documentAt(row))[0]!)
    return { ...facts, document, chunk: { id, startLine, endLine, heading } }
  })
}

function statusOf(database: IndexDatabase) {
  const counts = (sql: string) => Object.fromEntries(database.rows(sql) as [string, number][])
  const documents = database.rows('SELECT count(*) FROM document')[0]![0] as number
  return {
    documents,
    chunks: database.rows('SELECT count(*) FROM chunk')[0]![0] as number,
    vectors: counts('SELECT embedder, count(*) FROM vector GROUP BY embedder'),
    byCollection: counts('SELECT collection, count(*) FROM document GROUP BY collection'),
    byWorkspace: counts('SELECT project_hash, count(*) FROM document GROUP BY project_hash'),
    byOrigin: counts('SELECT origin, count(*) FROM document GROUP BY origin'),
    bytes: ['', '-wal'].reduce((sum, suffix) => sum + (statSync(`${database.path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0), 0),
    generation: database.number('generation'),
  }
}

const NO_TAGS: readonly string[] = []

function toDocument(row: SQLInputValue[]): StoredDocument {
  const [id, collection, path, title, origin, trust, workspace, project, tags, modified, size, mtime, hash, supersededBy] = row as [
    number, string, string, string, StoredDocument['origin'], StoredDocument['trust'], string, string | null, string, number, number, number, string, string | null,
  ]
  return { id, key: id.toString(16).padStart(12, '0'), collection, path, title, origin, trust, workspace, modified, size, mtime, hash, tags: tags === '[]' ? NO_TAGS : (JSON.parse(tags) as string[]), project: project ?? undefined, supersededBy: supersededBy ?? undefined }
}
