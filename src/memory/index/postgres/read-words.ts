import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { leafOf } from '../../../retrieval/domain/ranking/packed-postings.ts'
import { eachPosting, headerAt } from '../../../retrieval/domain/ranking/posting-bytes.ts'
import type { Holders } from '../../../retrieval/domain/ranking/score-chunks.ts'
import type { IndexQuestion } from '../../ports/search-index.ts'
import type { GroundShelf } from './ground-shelf.ts'
import { layGround, loadSegment, type Ground, type LoadedSegment } from './ground.ts'
import { storedTerm } from './segment-rows.ts'

/** Index data for the words of a question, all read at one moment. */
export interface WordsRead {
  readonly generation: number
  readonly whole: Holders
  readonly averageLength: number
  /** True if all vectors of the project are in the server's vector index. */
  readonly standsNear: boolean
  readonly ground: Ground
  held(term: string): Holders
  postings(term: string): RowPostings
}

/** Rows of the ground, ascending, and the term's count in each. */
export interface RowPostings {
  readonly rows: Uint32Array
  readonly counts: Uint32Array
}

/** Every term a question may look up: words with their parts, and possible names. */
export const termsOf = ({ terms, names }: Pick<IndexQuestion, 'terms' | 'names'>): string[] => [
  ...new Set([...terms.flatMap(({ term, parts }) => [term, ...parts]), ...names]),
]

export async function readWords(
  sql: SqlSession,
  { project, terms, shelf }: { project: string; terms: readonly string[]; shelf: GroundShelf | undefined },
): Promise<WordsRead> {
  const held = shelf?.get(project)
  const read = await readSince(sql, project, terms, held)
  // The cached data belongs to an earlier index of this name, as after a restore.
  const found = read ?? (await readSince(sql, project, terms, undefined))!
  if (found.ground !== held) shelf?.put(project, found.ground)
  return found
}

async function readSince(
  sql: SqlSession,
  project: string,
  terms: readonly string[],
  held: Ground | undefined,
): Promise<WordsRead | undefined> {
  const rows = await sql.query<Row>(READ, [project, hashed(terms), held?.generation ?? -1])
  const [generation, documents, chunks, length, nearFrom] = (rows.find(({ kind }) => kind === 'head')?.numbers ?? [
    0,
    0,
    0,
    0,
    null,
  ]) as [number, number, number, number, number | null]
  const ground = groundOf(rows, generation, held)
  if (ground === undefined) return undefined
  const byTerm = new Map(rows.filter(({ kind }) => kind === 'term').map((row) => [row.term!, row]))
  const holders = new Map<string, Holders>()
  const lists = new Map<string, RowPostings>()
  for (const [term, row] of byTerm) {
    const one = decode(row, ground)
    holders.set(term, one.held)
    lists.set(term, one.postings)
  }
  return {
    generation,
    ground,
    whole: { chunks, documents },
    standsNear: nearFrom === 0,
    averageLength: chunks === 0 ? 0 : length / chunks,
    held: (term) => holders.get(term) ?? NOBODY,
    postings: (term) => lists.get(term) ?? NOWHERE,
  }
}

const NOBODY: Holders = { chunks: 0, documents: 0 }
const NOWHERE: RowPostings = { rows: new Uint32Array(0), counts: new Uint32Array(0) }

/** Undefined if a segment was neither cached nor sent. */
function groundOf(rows: readonly Row[], generation: number, held: Ground | undefined): Ground | undefined {
  if (held?.generation === generation) return held
  const sent = new Map(
    rows
      .filter(({ kind }) => kind === 'segment')
      .map(({ numbers, bytes }) => [numbers[0]!, loadSegment(numbers[1]!, bytes!)]),
  )
  const segments = new Map<number, LoadedSegment>()
  const listed = rows.find(({ kind }) => kind === 'listed')!.numbers
  for (let i = 0; i < listed.length; i += 2) {
    const segment = sent.get(listed[i]!) ?? held?.segments.get(listed[i]!)
    if (segment === undefined || segment.generation !== listed[i + 1]) return undefined
    segments.set(listed[i]!, segment)
  }
  return layGround(generation, segments)
}

/** Concatenates a term's lists of all segments. */
function decode({ numbers, bytes }: Row, ground: Ground): { held: Holders; postings: RowPostings } {
  const all = bytes!
  const total = numbers.reduce((sum, _, i) => sum + (i % 2 === 1 ? numbers[i]! : 0), 0)
  const [rows, counts] = [new Uint32Array(total), new Uint32Array(total)]
  let [at, size, documents] = [0, 0, 0]
  for (let i = 0; i < numbers.length; i += 2) {
    const first = ground.rowsOf(numbers[i]!)
    documents += headerAt(all, at).documents
    at = eachPosting(all, at, (place, count) => {
      rows[size] = first + place
      counts[size++] = count
    })
  }
  return { held: { chunks: size, documents }, postings: { rows, counts } }
}

interface Row {
  readonly kind: 'head' | 'listed' | 'segment' | 'term'
  readonly term: string | null
  readonly numbers: readonly number[]
  readonly bytes: Uint8Array | null
}

/** More than the leaves of any segment: the lower bits select the leaf in each. */
const HASHES = 2 ** 30

const hashed = (terms: readonly string[]): string =>
  JSON.stringify(terms.map(storedTerm).map((term) => ({ term, hash: leafOf(term, HASHES) })))

const HELD = 'get_byte(l.postings, 0) * 65536 + get_byte(l.postings, 1) * 256 + get_byte(l.postings, 2)'

// The leaf is computed before the lookup, which compares plain columns: with a function in it, row-level security would
// prevent use of the index.
const FOUND = `
  wanted AS MATERIALIZED (
    SELECT a.term, s.number, a.hash & (s.leaves - 1) AS leaf
    FROM jsonb_to_recordset($2::text::jsonb) AS a(term text, hash int)
    CROSS JOIN (SELECT number, leaves FROM ken.index_segments WHERE project = $1) AS s
  ), found AS MATERIALIZED (
    SELECT w.term, w.number, l.postings FROM wanted w
    CROSS JOIN LATERAL (
      SELECT l.postings[array_position(l.terms, w.term)] AS postings FROM ken.index_leaves l
      WHERE l.project = $1 AND l.segment = w.number AND l.leaf = w.leaf OFFSET 0
    ) AS l
    WHERE l.postings IS NOT NULL
  )`

const READ = `
  WITH ${FOUND}
  SELECT 'head' AS kind, NULL AS term, json_build_array(generation, documents, chunks, length, near_from) AS numbers, NULL::bytea AS bytes
  FROM ken.index_heads WHERE project = $1
  UNION ALL
  SELECT 'listed', NULL, coalesce(json_agg(n ORDER BY s.number, i), '[]'), NULL
  FROM ken.index_segments s CROSS JOIN LATERAL unnest(ARRAY[s.number, s.generation]) WITH ORDINALITY AS u(n, i)
  WHERE s.project = $1
  UNION ALL
  SELECT 'segment', NULL, json_build_array(number, generation), documents
  FROM ken.index_segments WHERE project = $1 AND generation > $3::bigint
  UNION ALL
  SELECT 'term', l.term, json_agg(n ORDER BY l.number, i), string_agg(CASE i WHEN 1 THEN l.postings END, NULL ORDER BY l.number)
  FROM found l CROSS JOIN LATERAL unnest(ARRAY[l.number, ${HELD}]) WITH ORDINALITY AS u(n, i)
  GROUP BY l.term`

/** Number of chunks in total and with each term, without positions. */
export async function readFrequencies(
  sql: SqlSession,
  project: string,
  terms: readonly string[],
): Promise<{ readonly chunks: number; of(term: string): number }> {
  const [row] = await sql.query<{ chunks: number; held: Readonly<Record<string, number>> }>(FREQUENCIES, [
    project,
    hashed(terms),
  ])
  const held = new Map(Object.entries(row?.held ?? {}))
  return { chunks: row?.chunks ?? 0, of: (term) => held.get(term) ?? 0 }
}

const FREQUENCIES = `
  WITH ${FOUND}
  SELECT h.chunks, (
    SELECT coalesce(json_object_agg(t.term, t.held), '{}')
    FROM (SELECT l.term, sum(${HELD}) AS held FROM found l GROUP BY l.term) AS t
  ) AS held
  FROM ken.index_heads h WHERE h.project = $1`
