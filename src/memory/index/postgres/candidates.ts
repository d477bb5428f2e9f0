import type { SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import { REPLY_TERM, TEST_TERM } from '../../../retrieval/domain/ranking/marks.ts'
import { SUPERSEDED, type RankedRows } from '../../../retrieval/domain/ranking/rank-documents.ts'
import type { ChunkCorpus, ChunkPostings } from '../../../retrieval/domain/ranking/score-chunks.ts'
import type { Described } from '../../../retrieval/domain/ranking/superseded.ts'
import type { Ground } from './ground.ts'
import { listOfNumbers } from './json-text.ts'
import type { WordsRead } from './read-words.ts'
import { scopePredicate } from './scope-predicate.ts'
import { REPLY, TEST } from './segment.ts'

/** The documents that may be in the answer as rows to rank, with all of their chunks and every term of the question. */
export interface Candidates {
  readonly rows: RankedRows
  readonly corpus: ChunkCorpus
  readonly chunkOf: readonly number[]
  readonly rowOf: ReadonlyMap<number, number>
  documentAt(row: number): { readonly id: number; readonly firstChunk: number }
  /** Available for all documents if one of them is superseded. Otherwise available for none and not called. */
  describe(row: number): Described
}

export interface CandidatesQuery {
  readonly project: string
  readonly ids: readonly number[]
  readonly words: WordsRead
  readonly scope: SearchScope
}

/** The given documents that are in the scope. */
export async function loadCandidates(sql: SqlSession, query: CandidatesQuery): Promise<Candidates> {
  const { ground } = query.words
  const places = placesOf(ground, new Set(query.ids))
  const described = await describeSome(sql, query, places)
  const own = described === undefined ? places : places.filter((place) => described.has(ground.ids[place]!))
  const { rows, chunkOf, owners } = layOut(ground, own)
  const ownerOf = Uint32Array.from(owners)
  const placeAt = (row: number): number => own[ownerOf[row]!]!
  return {
    chunkOf,
    rowOf: new Map(chunkOf.map((chunk, row) => [chunk, row])),
    rows: {
      size: chunkOf.length,
      documents: own.length,
      ownerOf,
      standing: Uint8Array.from(own, (place) => ground.standing[place]!),
    },
    corpus: corpusOf(query.words, rows),
    documentAt: (row) => ({ id: ground.ids[placeAt(row)]!, firstChunk: ground.firstChunks[placeAt(row)]! }),
    describe: (row) => described!.get(ground.ids[placeAt(row)]!)!,
  }
}

/** Facts about the documents in the scope; undefined if all of them are in the scope and no facts are needed. */
async function describeSome(
  sql: SqlSession,
  { project, ids, words, scope }: CandidatesQuery,
  places: readonly number[],
): Promise<ReadonlyMap<number, Described> | undefined> {
  const values: SqlValue[] = [project, listOfNumbers(ids)]
  const inScope = scopePredicate(scope, values)
  if (inScope === '' && !places.some((place) => words.ground.standing[place] === SUPERSEDED)) return undefined
  const rows = await sql.query<DescribedRow>(
    `SELECT d.id, d.collection, d.path, d.title, d.laid_as, d.laid_by FROM ken.index_documents d
     WHERE d.project = $1 AND d.id = ANY($2::text::bigint[])${inScope}`,
    values,
  )
  return new Map(
    rows.map(({ id, laid_as: as, laid_by: by, ...document }) => [
      id,
      { ...document, superseded: as === null ? undefined : { as, by: by ?? undefined } },
    ]),
  )
}

interface DescribedRow {
  readonly id: number
  readonly collection: string
  readonly path: string
  readonly title: string
  readonly laid_as: string | null
  readonly laid_by: string | null
}

/** Positions of documents in the ground, in order of id. */
function placesOf({ ids }: Ground, wanted: ReadonlySet<number>): number[] {
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) if (wanted.has(ids[place]!)) places.push(place)
  return places.sort((a, b) => ids[a]! - ids[b]!)
}

/** The rows of these documents in the ground, concatenated. */
function layOut(
  { firstChunks, firstRows, sizes }: Ground,
  places: readonly number[],
): { rows: number[]; chunkOf: number[]; owners: number[] } {
  const [rows, chunkOf, owners]: [number[], number[], number[]] = [[], [], []]
  places.forEach((place, owner) => {
    for (let i = 0; i < sizes[place]!; i++) {
      rows.push(firstRows[place]! + i)
      chunkOf.push(firstChunks[place]! + i)
      owners.push(owner)
    }
  })
  return { rows, chunkOf, owners }
}

function corpusOf({ ground, averageLength, whole, held, postings }: WordsRead, rows: readonly number[]): ChunkCorpus {
  /** 1 + the local row, by row of the ground. */
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
