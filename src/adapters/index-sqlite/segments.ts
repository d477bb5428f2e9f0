import { eachTerm, entriesIn, entryChunk, entryCount, leafOf, packEntry, packTerms, type PackedLeaf, type PackedPostings } from '../../core/search/packed-postings.ts'
import type { IndexDatabase } from './database.ts'

/** Neighbouring chunk ids whose postings were written together; an entry counts chunks from `first`. */
export interface Segment {
  readonly first: number
  readonly span: number
  readonly leaves: number
}

/** Segments are joined up to this many chunks: writing a larger one anew would keep a small change waiting. */
export const LARGEST_JOINED = 1024

// Leaves of a segment have neighbouring ids; 2^20 of them are more than any batch has terms.
const LEAVES_MOST = 2 ** 20

const SEGMENT = 'SELECT first, span, leaves FROM segment ORDER BY first'
const toSegment = ([first, span, leaves]: unknown[]): Segment => ({ first, span, leaves }) as Segment

export const segmentsOf = (database: IndexDatabase): Segment[] => database.rows(SEGMENT).map(toSegment)

/** `lengths` are token counts, of every chunk id from `first` on. */
export function insertSegment(database: Pick<IndexDatabase, 'run'>, { first, lengths, postings }: { first: number; lengths: Uint32Array; postings: PackedPostings }): void {
  if (lengths.length === 0) return
  database.run('INSERT INTO segment VALUES (?, ?, ?, ?)', first, lengths.length, postings.leaves.length, bytesOf(lengths))
  postings.leaves.forEach(({ terms, data }, i) => {
    if (terms !== '') database.run('INSERT INTO leaf VALUES (?, ?, ?)', first * LEAVES_MOST + i, terms, bytesOf(data))
  })
}

/** The entries of a term in each of the segments that have it. */
export function readEntries(database: IndexDatabase, segments: readonly Segment[], term: string): { readonly first: number; readonly entries: Uint32Array }[] {
  const found: { first: number; entries: Uint32Array }[] = []
  // One statement for many segments: a call costs more than what it finds.
  for (let at = 0; at < segments.length; at += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, i) => leafId(segments[Math.min(at + i, segments.length - 1)]!, term))
    for (const [id, terms, data] of database.rows(LEAVES, ...ids, term) as [number, string, Uint8Array][]) {
      const entries = entriesIn(toLeaf([terms, data]), term)
      if (entries.length > 0) found.push({ first: Math.floor(id / LEAVES_MOST), entries })
    }
  }
  return found
}

const AT_ONCE = 16
const LEAVES = `SELECT id, terms, data FROM leaf WHERE id IN (${Array.from({ length: AT_ONCE }, () => '?').join(', ')}) AND instr(terms, ?) > 0`

const leafId = ({ first, leaves }: Segment, term: string): number => first * LEAVES_MOST + leafOf(term, leaves)

/** Token counts by chunk id. */
export function loadLengths(database: IndexDatabase): Uint32Array {
  const lengths = new Uint32Array(database.number('next_chunk'))
  for (const [first, data] of database.rows('SELECT first, lengths FROM segment') as [number, Uint8Array][]) lengths.set(numbersOf(data), first)
  return lengths
}

/** The last neighbours of like size become one, so that a thousand small writes leave a dozen segments. */
export function joinLast(database: IndexDatabase): void {
  for (;;) {
    const [last, before] = database.rows(`${SEGMENT} DESC LIMIT 2`).map(toSegment)
    if (last === undefined || before === undefined || before.span > 2 * last.span || last.first + last.span - before.first > LARGEST_JOINED) return
    const ids = database.rows('SELECT id FROM chunk WHERE id >= ? AND id < ?', before.first, last.first + last.span) as [number][]
    const live = new Set(ids.map(([id]) => id))
    joinSegments(database, [before, last], (id) => (live.has(id) ? id : -1))
  }
}

/** Makes one of neighbours. `idOf` gives the id that a chunk has from now on, in the old order, or -1 for one that is gone. */
export function joinSegments(database: IndexDatabase, segments: readonly Segment[], idOf: (chunk: number) => number): void {
  const kept = segments.flatMap((segment) => lengthsIn(database, segment).map(([id, length]) => [idOf(id), length] as const)).filter(([id]) => id >= 0)
  const first = kept[0]?.[0] ?? 0
  const lengths = new Uint32Array(kept.length === 0 ? 0 : kept.at(-1)![0] - first + 1)
  for (const [id, length] of kept) lengths[id - first] = length
  const byTerm = new Map<string, number[]>()
  for (const segment of segments) {
    takeOut(database, segment, (term, entries) => {
      const own = byTerm.get(term) ?? []
      for (const entry of entries) {
        const id = idOf(segment.first + entryChunk(entry))
        if (id >= 0) own.push(packEntry(id - first, entryCount(entry)))
      }
      if (own.length > 0) byTerm.set(term, own)
    })
  }
  const packed = Array.from(byTerm.values(), (entries) => Uint32Array.from(entries))
  insertSegment(database, { first, lengths, postings: packTerms([...byTerm.keys()], (i) => packed[i]!) })
}

function lengthsIn(database: IndexDatabase, { first }: Segment): [id: number, length: number][] {
  const [[data]] = database.rows('SELECT lengths FROM segment WHERE first = ?', first) as [[Uint8Array]]
  return Array.from(numbersOf(data), (length, i) => [first + i, length])
}

function takeOut(database: IndexDatabase, { first, leaves }: Segment, visit: (term: string, entries: Uint32Array) => void): void {
  const range = [first * LEAVES_MOST, first * LEAVES_MOST + leaves]
  for (const row of database.rows('SELECT terms, data FROM leaf WHERE id >= ? AND id < ?', ...range) as [string, Uint8Array][]) eachTerm(toLeaf(row), visit)
  database.run('DELETE FROM leaf WHERE id >= ? AND id < ?', ...range)
  database.run('DELETE FROM segment WHERE first = ?', first)
}

const bytesOf = (numbers: Uint32Array): Uint8Array => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
const numbersOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
const toLeaf = ([terms, data]: [string, Uint8Array]): PackedLeaf => ({ terms, data: numbersOf(data) })
