import type { SearchScope } from '../../../core/ranking/indexed-document.ts'
import type { Described } from '../../../core/ranking/laid-aside.ts'
import { REPLY_TERM, TEST_TERM } from '../../../core/ranking/marks.ts'
import { HOLDS, LAID_ASIDE, type RankedRows } from '../../../core/ranking/rank-documents.ts'
import type { ChunkCorpus, ChunkPostings } from '../../../core/ranking/score-chunks.ts'
import type { SqlSession, SqlValue } from '../../../ports/sql-database.ts'
import type { Ground } from './ground.ts'
import { jsonText, listOf } from './json-text.ts'
import type { WordsRead } from './read-words.ts'
import { scopePredicate } from './scope-predicate.ts'
import { REPLY, TEST } from './segment.ts'

/** The documents that may be in the answer as rows to rank, with all of their chunks and every word that was asked for. */
export interface Candidates {
  readonly generation: number
  readonly rows: RankedRows
  readonly corpus: ChunkCorpus
  readonly chunkOf: readonly number[]
  readonly rowOf: ReadonlyMap<number, number>
  documentAt(row: number): Described & { readonly id: number; readonly firstChunk: number }
}

export async function loadCandidates(
  sql: SqlSession,
  { project, ids, words, scope }: { project: string; ids: readonly number[]; words: WordsRead; scope: SearchScope },
): Promise<Candidates> {
  const values: SqlValue[] = [project, jsonText(ids)]
  const [found] = await sql.query<Found>(candidatesText(scopePredicate(scope, values)), values)
  const places = placesOf(words.ground, new Set(ids))
  const documents = found!.documents.flatMap((document) => {
    const place = places.get(document.id)
    return place === undefined || words.ground.firstChunks[place] !== document.first_chunk
      ? []
      : [{ ...document, place }]
  })
  const { rows, chunkOf, owners } = layOut(words.ground, documents)
  const ownerOf = Uint32Array.from(owners)
  return {
    generation: found!.generation,
    chunkOf,
    rowOf: new Map(chunkOf.map((chunk, row) => [chunk, row])),
    rows: {
      size: chunkOf.length,
      documents: documents.length,
      ownerOf,
      standing: Uint8Array.from(documents, ({ laid_as: laidAs }) => (laidAs === null ? HOLDS : LAID_ASIDE)),
    },
    corpus: corpusOf(words, rows),
    documentAt(row) {
      const {
        id,
        first_chunk: firstChunk,
        collection,
        path,
        title,
        laid_as: as,
        laid_by: by,
      } = documents[ownerOf[row]!]!
      const laidAside = as === null ? undefined : { as, by: by ?? undefined }
      return { id, firstChunk, collection, path, title, laidAside }
    },
  }
}

/** Where some documents stand in the ground. */
function placesOf({ ids }: Ground, wanted: ReadonlySet<number>): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  for (let place = 0; place < ids.length; place++) if (wanted.has(ids[place]!)) places.set(ids[place]!, place)
  return places
}

/** The rows of the ground that these documents have, one behind the other. */
function layOut(
  { firstChunks, firstRows, sizes }: Ground,
  documents: readonly { readonly place: number }[],
): { rows: number[]; chunkOf: number[]; owners: number[] } {
  const [rows, chunkOf, owners]: number[][] = [[], [], []]
  documents.forEach(({ place }, owner) => {
    for (let i = 0; i < sizes[place]!; i++) {
      rows!.push(firstRows[place]! + i)
      chunkOf!.push(firstChunks[place]! + i)
      owners!.push(owner)
    }
  })
  return { rows: rows!, chunkOf: chunkOf!, owners: owners! }
}

function corpusOf({ ground, averageLength, whole, held, postings }: WordsRead, rows: readonly number[]): ChunkCorpus {
  /** One more than the row here, by row of the ground. */
  const here = new Uint32Array(ground.lengths.length)
  rows.forEach((row, at) => (here[row] = at + 1))
  const marked = (mark: number): ChunkPostings => {
    const docs = Uint32Array.from(rows.keys()).filter((at) => (ground.marks[rows[at]!]! & mark) > 0)
    return { docs, counts: docs.map(() => 1) }
  }
  return {
    size: rows.length,
    lengths: Uint32Array.from(rows, (row) => ground.lengths[row]!),
    averageLength,
    whole,
    postings(term) {
      if (term === REPLY_TERM) return marked(REPLY)
      if (term === TEST_TERM) return marked(TEST)
      const all = postings(term)
      const own: (readonly [row: number, count: number])[] = []
      for (let i = 0; i < all.rows.length; i++) {
        const row = here[all.rows[i]!]!
        if (row > 0) own.push([row - 1, all.counts[i]!])
      }
      own.sort(([a], [b]) => a - b)
      return {
        docs: Uint32Array.from(own, ([row]) => row),
        counts: Uint32Array.from(own, ([, count]) => count),
        held: held(term),
      }
    },
  }
}

interface Found {
  readonly generation: number
  /** In order of id. */
  readonly documents: readonly {
    readonly id: number
    readonly first_chunk: number
    readonly collection: string
    readonly path: string
    readonly title: string
    readonly laid_as: string | null
    readonly laid_by: string | null
  }[]
}

const candidatesText = (inScope: string): string => `
  SELECT coalesce((SELECT generation FROM ken.index_heads WHERE project = $1), 0) AS generation, (
    SELECT coalesce(json_agg(c ORDER BY c.id), '[]') FROM (
      SELECT d.id, d.first_chunk, d.collection, d.path, d.title, d.laid_as, d.laid_by
      FROM ken.index_documents d WHERE d.project = $1 AND d.id = ANY(${listOf(2, 'bigint')})${inScope}
    ) AS c
  ) AS documents`
