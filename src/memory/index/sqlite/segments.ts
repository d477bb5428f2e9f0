import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import {
  eachTerm,
  entriesIn,
  entryChunk,
  entryCount,
  leafOf,
  MOST_LEAVES,
  packEntry,
  packTerms,
  type PackedLeaf,
  type PackedPostings,
} from '../../../retrieval/domain/ranking/packed-postings.ts'
import { liveChunks } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import type { Head } from './head.ts'
import { minus, mustBe, plus, sealOf } from './seal.ts'

/** Consecutive chunk ids with postings written together; an entry counts chunks from `first`. */
export interface Segment {
  readonly first: number
  readonly span: number
  readonly leaves: number
  /** Generation of the write; leaves are sealed with it, so that a leaf of an earlier segment is not accepted. */
  readonly generation: number
  /** Token counts, of every chunk id from `first` on. */
  readonly lengths: Uint32Array
  readonly seal: number
}

/** Segments are joined up to this many chunks: rewriting a larger one would delay a small change. */
const LARGEST_JOINED = 1024

/** Whether segments are small enough to be joined, by their live chunks and by the terms of all. */
export const mayJoin = (chunks: number, leaves: number): boolean => chunks <= LARGEST_JOINED && leaves <= MOST_LEAVES

// Leaves of a segment have consecutive ids; 2^20 of them are more than any batch has terms.
const LEAVES_MOST = 2 ** 20

const SEGMENT = 'SELECT first, span, leaves, generation, lengths, seal FROM segment ORDER BY first'

export function segmentsOf(database: IndexDatabase, head: Head): Segment[] {
  const segments = database.rows(SEGMENT).map(toSegment)
  mustBe(
    segments.reduce((tally, { seal }) => plus(tally, seal), 0),
    head.segments,
    'its segments are',
  )
  return segments
}

export function insertSegment(
  database: IndexDatabase,
  head: Head,
  { first, lengths, postings }: { first: number; lengths: Uint32Array; postings: Pick<PackedPostings, 'leaves'> },
): void {
  if (lengths.length === 0) return
  const data = bytesOf(lengths)
  const { generation } = head
  const seal = sealOf(first, lengths.length, postings.leaves.length, generation, data)
  database.run(
    'INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?)',
    first,
    lengths.length,
    postings.leaves.length,
    generation,
    data,
    seal,
  )
  head.segments = plus(head.segments, seal)
  // Empty leaves are written too, so that a missing leaf can be recognised as lost.
  postings.leaves.forEach((leaf, i) => {
    const [id, bytes] = [first * LEAVES_MOST + i, bytesOf(leaf.data)]
    database.run(
      'INSERT INTO leaf VALUES (?, ?, ?, ?)',
      id,
      leaf.terms,
      bytes,
      sealOf(id, leaf.terms, bytes, generation),
    )
  })
}

/** The entries of a term in each segment that has it. */
export function readEntries(
  database: IndexDatabase,
  segments: readonly Segment[],
  term: string,
): { readonly first: number; readonly entries: Uint32Array }[] {
  const found: { first: number; entries: Uint32Array }[] = []
  // One statement for many segments: a call costs more than its result.
  for (let at = 0; at < segments.length; at += AT_ONCE) {
    const some = Math.min(AT_ONCE, segments.length - at)
    const ids = Array.from({ length: AT_ONCE }, (_, i) => leafId(segments[at + Math.min(i, some - 1)]!, term))
    const rows = database.rows(LEAVES, ...ids)
    if (rows.length !== some) throw new IndexDamaged('postings are gone')
    // Rows are ordered by id, like the segments.
    rows.forEach((row, i) => {
      const segment = segments[at + i]!
      const entries = entriesIn(toLeaf(row, segment), term)
      if (entries.length > 0) found.push({ first: segment.first, entries })
    })
  }
  return found
}

const AT_ONCE = 16
const LEAF = 'SELECT id, terms, data, seal FROM leaf WHERE id'
const LEAVES = `${LEAF} IN (${Array.from({ length: AT_ONCE }, () => '?').join(', ')}) ORDER BY id`

const leafId = ({ first, leaves }: Segment, term: string): number => first * LEAVES_MOST + leafOf(term, leaves)

/** Joins the last neighbours of similar size, so that a thousand small writes leave a dozen segments. */
export function joinLast(database: IndexDatabase, head: Head): void {
  for (;;) {
    const [last, before] = database.rows(`${SEGMENT} DESC LIMIT 2`).map(toSegment)
    if (
      last === undefined ||
      before === undefined ||
      before.span > 2 * last.span ||
      !mayJoin(last.first + last.span - before.first, before.leaves + last.leaves)
    )
      return
    const live = liveChunks(database, before.first, last.first + last.span)
    joinSegments(database, head, { segments: [before, last], idOf: (id) => (live.has(id) ? id : -1) })
  }
}

export interface Joining {
  /** Neighbouring segments. */
  readonly segments: readonly Segment[]
  /** The new id of a chunk, in the old order, or -1 for a removed one. */
  readonly idOf: (chunk: number) => number
}

export function joinSegments(database: IndexDatabase, head: Head, { segments, idOf }: Joining): void {
  const kept = segments
    .flatMap((segment) => Array.from(segment.lengths, (length, i) => [idOf(segment.first + i), length] as const))
    .filter(([id]) => id >= 0)
  const first = kept[0]?.[0] ?? 0
  const lengths = new Uint32Array(kept.length === 0 ? 0 : kept.at(-1)![0] - first + 1)
  for (const [id, length] of kept) lengths[id - first] = length
  const byTerm = new Map<string, number[]>()
  for (const segment of segments) {
    takeOut(database, head, segment).forEach((leaf) =>
      eachTerm(leaf, (term, entries) => {
        const own = byTerm.get(term) ?? []
        for (const entry of entries) {
          const id = idOf(segment.first + entryChunk(entry))
          if (id >= 0) own.push(packEntry(id - first, entryCount(entry)))
        }
        if (own.length > 0) byTerm.set(term, own)
      }),
    )
  }
  const packed = Array.from(byTerm.values(), (entries) => Uint32Array.from(entries))
  insertSegment(database, head, { first, lengths, postings: packTerms([...byTerm.keys()], (i) => packed[i]!) })
}

/** All leaves of a segment; throws if any is missing. */
export function leavesOf(database: IndexDatabase, segment: Segment): PackedLeaf[] {
  const { first, leaves } = segment
  const rows = database.rows(`${LEAF} >= ? AND id < ?`, first * LEAVES_MOST, first * LEAVES_MOST + leaves)
  if (rows.length !== leaves) throw new IndexDamaged('postings are gone')
  return rows.map((row) => toLeaf(row, segment))
}

function takeOut(database: IndexDatabase, head: Head, segment: Segment): PackedLeaf[] {
  const leaves = leavesOf(database, segment)
  database.run(
    'DELETE FROM leaf WHERE id >= ? AND id < ?',
    segment.first * LEAVES_MOST,
    segment.first * LEAVES_MOST + segment.leaves,
  )
  database.run('DELETE FROM segment WHERE first = ?', segment.first)
  head.segments = minus(head.segments, segment.seal)
  return leaves
}

function toSegment(row: readonly unknown[]): Segment {
  const [first, span, leaves, generation, data, seal] = row as [number, number, number, number, Uint8Array, number]
  mustBe(sealOf(first, span, leaves, generation, data), seal, 'a segment is')
  return { first, span, leaves, generation, lengths: numbersOf(data), seal }
}

function toLeaf(row: readonly unknown[], { generation }: Segment): PackedLeaf {
  const [id, terms, data, seal] = row as [number, string, Uint8Array, number]
  mustBe(sealOf(id, terms, data, generation), seal, 'a posting is')
  return { terms, data: numbersOf(data) }
}

const bytesOf = (numbers: Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
const numbersOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
