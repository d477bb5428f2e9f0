import type { Bm25Corpus, Postings } from '../../retrieval/domain/ranking/bm25.ts'
import type { CatalogueEntry } from '../domain/decision/catalogue.ts'
import { isSeed } from '../domain/decision/decision.ts'
import type { DecisionCorpus } from '../domain/find-by-words.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { FileRow } from './file-rows.ts'
import { loadPostings, NAMES, REASONS, TEXT, type Field } from './postings-table.ts'

export interface CorpusChoice {
  readonly among: 'active' | 'all'
  readonly check: boolean
}

export interface IndexedCorpus extends DecisionCorpus {
  /** The document of each entry, for looking up its vector. */
  readonly docs: Uint32Array
}

export type ReadableRow = FileRow & { readonly entry: CatalogueEntry; readonly doc: number }

// Twelve bytes each: recently used postings stay in memory, up to 96 MB for each text of a corpus; only 100,000
// decisions come near that.
const POSTINGS_KEPT = 8_000_000

/**
 * The corpora that queries are ranked in, over rows in catalogue order. Invalid once the rows change. In a corpus of
 * active decisions, superseded decisions are appended as extra documents.
 */
export function openCorpusCache(cache: CacheDatabase, rows: readonly ReadableRow[]) {
  const made = new Map<string, IndexedCorpus>()
  return (choice: CorpusChoice): IndexedCorpus => {
    const key = `${choice.among} ${choice.check}`
    const corpus = made.get(key) ?? makeCorpus(cache, rows, choice)
    made.set(key, corpus)
    return corpus
  }
}

function makeCorpus(cache: CacheDatabase, all: readonly ReadableRow[], { among, check }: CorpusChoice): IndexedCorpus {
  const members = all.filter(({ entry }) => !(check && isSeed(entry)))
  const isCounted = ({ entry }: ReadableRow) => among === 'all' || entry.status === 'active'
  const counted = members.filter(isCounted)
  const rows = [...counted, ...members.filter((row) => !isCounted(row))]
  const size = counted.length
  const indexOf = new Int32Array(rows.reduce((most, { doc }) => Math.max(most, doc), -1) + 1).fill(-1)
  rows.forEach(({ doc }, index) => (indexOf[doc] = index))
  const field = (which: Field, uses: readonly number[], lengths: readonly number[]): Bm25Corpus => {
    const left = check ? Uint32Array.from(uses) : undefined
    return makeField(
      lengths.map((length, i) => length - (left?.[i] ?? 0)),
      size,
      (term) => placed(loadPostings(cache, which, term), { indexOf, size }, term === 'use' ? left : undefined),
    )
  }
  return {
    entries: rows.map(({ entry }) => entry),
    docs: Uint32Array.from(rows, ({ doc }) => doc),
    text: field(
      TEXT,
      rows.map((row) => row.uses),
      rows.map((row) => row.length),
    ),
    reasons: field(
      REASONS,
      rows.map((row) => row.reasonUses),
      rows.map((row) => row.reasonLength),
    ),
    names: {
      postings: openRecentPostings((name) => placed(loadPostings(cache, NAMES, name), { indexOf, size }, undefined)),
    },
  }
}

function makeField(lengthOf: readonly number[], size: number, load: (term: string) => Postings): Bm25Corpus {
  const lengths = Uint32Array.from(lengthOf)
  const total = lengths.subarray(0, size).reduce((sum, length) => sum + length, 0)
  const recent = openRecentPostings(load)
  return {
    size,
    extra: lengths.length - size,
    averageLength: size === 0 ? 0 : total / size,
    length: (index) => lengths[index]!,
    postings(term) {
      const postings = recent(term)
      return postings.docs.length === 0 ? undefined : postings
    },
  }
}

/** Loads missing postings; evicts the least recently used first. */
function openRecentPostings(load: (term: string) => Postings): (term: string) => Postings {
  const recent = new Map<string, Postings>()
  let kept = 0
  return (term) => {
    const known = recent.get(term)
    const postings = known ?? load(term)
    if (known === undefined) kept += postings.docs.length + 1
    recent.delete(term)
    recent.set(term, postings)
    for (const [oldest, list] of recent) {
      if (kept <= POSTINGS_KEPT || oldest === term) break
      recent.delete(oldest)
      kept -= list.docs.length + 1
    }
    return postings
  }
}

/**
 * Maps documents to positions in the corpus and drops those outside it; `left` subtracts counts that a check ignores.
 * Extra documents come last, so that their position needs no sorting.
 */
function placed(
  stored: { docs: Uint32Array; counts: Uint16Array },
  { indexOf, size: counted }: { indexOf: Int32Array; size: number },
  left: Uint32Array | undefined,
): Postings {
  const docs = new Uint32Array(stored.docs.length)
  const counts = new Uint32Array(stored.docs.length)
  const extra: { index: number; count: number }[] = []
  let size = 0
  let ordered = true
  const put = (index: number, count: number): void => {
    ordered &&= size === 0 || docs[size - 1]! < index
    docs[size] = index
    counts[size++] = count
  }
  for (let i = 0; i < stored.docs.length; i++) {
    const index = stored.docs[i]! < indexOf.length ? indexOf[stored.docs[i]!]! : -1
    const count = index < 0 ? 0 : stored.counts[i]! - (left?.[index] ?? 0)
    if (count <= 0) continue
    if (index < counted) put(index, count)
    else extra.push({ index, count })
  }
  for (const { index, count } of extra) put(index, count)
  return ordered
    ? { docs: docs.subarray(0, size), counts: counts.subarray(0, size) }
    : inOrder(docs.subarray(0, size), counts)
}

/**
 * Sorts postings: a decision whose text changed has a new document at the end, though its position is among the old
 * ones.
 */
function inOrder(docs: Uint32Array, counts: Uint32Array): Postings {
  const order = Uint32Array.from(docs.keys()).sort((a, b) => docs[a]! - docs[b]!)
  return { docs: order.map((i) => docs[i]!), counts: order.map((i) => counts[i]!) }
}
