import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { leafOf } from '../../../retrieval/domain/ranking/packed-postings.ts'
import { eachPosting, packPostings, type Postings } from '../../../retrieval/domain/ranking/posting-bytes.ts'
import { ownersOf, packParts, type SegmentPart } from './segment.ts'

export interface SegmentPlace {
  readonly project: string
  /** First chunk for which the segment was created. */
  readonly number: number
}

export type Words = ReadonlyMap<string, Postings>

const TERMS_IN_A_LEAF = 16

export async function insertSegment(
  sql: SqlSession,
  { project, number }: SegmentPlace,
  { generation, parts, words }: { generation: number; parts: readonly SegmentPart[]; words: Words },
): Promise<void> {
  const owners = ownersOf(parts)
  const leaves = 2 ** Math.ceil(Math.log2(Math.max(1, words.size / TERMS_IN_A_LEAF)))
  const rows = new Map<number, LeafRow>()
  for (const [word, postings] of words) {
    const term = storedTerm(word)
    const leaf = leafOf(term, leaves)
    const row = rows.get(leaf) ?? { leaf, terms: [], postings: [] }
    row.terms.push(term)
    row.postings.push(hexOf(packPostings(postings, documentsIn(postings, owners))))
    rows.set(leaf, row)
  }
  const live = parts.reduce((sum, { lengths }) => sum + lengths.length, 0)
  await sql.query(
    'INSERT INTO ken.index_segments (project, number, generation, chunks, leaves, documents) VALUES ($1, $2::bigint, $3::bigint, $4::int, $5::int, $6::bytea)',
    [project, number, generation, live, leaves, packParts(parts)],
  )
  await inPortions([...rows.values()], (some) => sql.query(INSERT_LEAVES, [project, number, JSON.stringify(some)]))
}

/** A term as PostgreSQL accepts it. Its leaf is computed from this form, because joining reads it from segments. */
export const storedTerm = (term: string): string => (term.isWellFormed() ? term : term.toWellFormed())

export interface LeafRow {
  readonly leaf: number
  readonly terms: string[]
  /** In hex, as a bytea literal. */
  readonly postings: string[]
}

const LEAVES = 'jsonb_to_recordset($3::text::jsonb) AS r(leaf int, terms text[], postings bytea[])'
const INSERT_LEAVES = `
  INSERT INTO ken.index_leaves (project, segment, leaf, terms, postings)
  SELECT $1, $2::bigint, leaf, terms, postings FROM ${LEAVES} ORDER BY leaf`

/** Replaces the rows of some leaves; a leaf without terms is removed. */
export async function changeLeaves(
  sql: SqlSession,
  { project, number }: SegmentPlace,
  rows: readonly LeafRow[],
): Promise<void> {
  await inPortions(rows, (some) => sql.query(CHANGE_LEAVES, [project, number, JSON.stringify(some)]))
}

const CHANGE_LEAVES = `
  WITH given AS MATERIALIZED (SELECT leaf, terms, postings FROM ${LEAVES}), none AS (
    DELETE FROM ken.index_leaves l USING given g
    WHERE l.project = $1 AND l.segment = $2::bigint AND l.leaf = g.leaf AND cardinality(g.terms) = 0
  )
  UPDATE ken.index_leaves l SET terms = g.terms, postings = g.postings FROM given g
  WHERE l.project = $1 AND l.segment = $2::bigint AND l.leaf = g.leaf AND cardinality(g.terms) > 0`

export async function deleteSegments(sql: SqlSession, project: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers)
    await sql.query(
      `WITH leaves AS (DELETE FROM ken.index_leaves WHERE project = $1 AND segment = $2::bigint)
       DELETE FROM ken.index_segments WHERE project = $1 AND number = $2::bigint`,
      [project, number],
    )
}

export interface ReadLeaf {
  readonly leaf: number
  readonly terms: readonly string[]
  /** Postings of all terms, concatenated. */
  readonly postings: Uint8Array
}

export async function readLeaves(sql: SqlSession, { project, number }: SegmentPlace): Promise<readonly ReadLeaf[]> {
  const rows = await sql.query<{ leaf: number; terms: string; postings: Uint8Array }>(
    `SELECT leaf, array_to_string(terms, ' ') AS terms, (
       SELECT string_agg(p, NULL ORDER BY n) FROM unnest(postings) WITH ORDINALITY AS u(p, n)
     ) AS postings
     FROM ken.index_leaves WHERE project = $1 AND segment = $2::bigint`,
    [project, number],
  )
  return rows.map((row) => ({ ...row, terms: row.terms.split(' ') }))
}

/** The postings of each term of a leaf, with every place mapped by `moved`; places mapped to -1 are dropped. */
export function movedPostings(
  { terms, postings }: ReadLeaf,
  moved: ArrayLike<number>,
): { readonly term: string; readonly places: number[]; readonly counts: number[]; readonly dropped: number }[] {
  let at = 0
  return terms.map((term) => {
    const [places, counts]: [number[], number[]] = [[], []]
    let dropped = 0
    at = eachPosting(postings, at, (place, count) => {
      const to = moved[place]!
      if (to < 0) return dropped++
      places.push(to)
      return counts.push(count)
    })
    return { term, places, counts, dropped }
  })
}

/** Number of documents in the postings: the places of a document are adjacent. */
export function documentsIn({ places }: Postings, owners: ArrayLike<number>): number {
  let [documents, last] = [0, -1]
  for (let i = 0; i < places.length; i++) {
    const owner = owners[places[i]!]!
    if (owner !== last) documents++
    last = owner
  }
  return documents
}

export const hexOf = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`

/** Limit per statement: a few megabytes of text. */
const CHARACTERS_AT_ONCE = 4_000_000

async function inPortions(rows: readonly LeafRow[], send: (some: readonly LeafRow[]) => Promise<unknown>) {
  for (let at = 0; at < rows.length;) {
    const some: LeafRow[] = []
    for (let size = 0; at < rows.length && size < CHARACTERS_AT_ONCE; at++) {
      some.push(rows[at]!)
      size += rows[at]!.postings.reduce((sum, { length }) => sum + length, 0)
    }
    await send(some)
  }
}
