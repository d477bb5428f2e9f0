import { sha256 } from '../../kernel/domain/sha256.ts'
import { hybridSearch, type MeaningRows } from '../../retrieval/domain/ranking/hybrid-search.ts'
import {
  type ChunkFacts,
  type DocumentFacts,
  type SearchScope,
  scopeFilter,
} from '../../retrieval/domain/ranking/indexed-document.ts'
import { eachTerm, entryChunk, entryCount } from '../../retrieval/domain/ranking/packed-postings.ts'
import { HOLDS, SUPERSEDED, OUT, type RankedRows } from '../../retrieval/domain/ranking/rank-documents.ts'
import { type ChunkCorpus, scoreChunks } from '../../retrieval/domain/ranking/score-chunks.ts'
import { cosine, dequantize, type QuantizedVector } from '../../retrieval/domain/ranking/vector.ts'
import type { IndexBatch, SearchIndex, StoredDocument } from '../ports/search-index.ts'
import { placeCounts } from './place-counts.ts'

interface HeldChunk extends ChunkFacts {
  readonly id: number
  readonly counts: ReadonlyMap<string, number>
  readonly vectors: Map<string, QuantizedVector>
}

interface Held {
  readonly document: StoredDocument
  readonly chunks: readonly HeldChunk[]
}

/**
 * The index in plain arrays: nothing is persisted, every question reads everything. The reference for other back ends.
 */
export function openMemoryIndex(): SearchIndex {
  const held = new Map<string, Held>()
  let nextId = 1
  let generation = 0
  const sorted = () => [...held.values()].sort((a, b) => a.document.id - b.document.id)
  const byPath = () =>
    sorted()
      .map(({ document }) => document)
      .sort(
        (a, b) =>
          compare(a.path, b.path) || compare(a.collection, b.collection) || compare(a.entry ?? '', b.entry ?? ''),
      )

  return {
    elsewhere: undefined,
    async write(batch) {
      generation++
      for (const { size, mtime, ...file } of batch.restamped) {
        const known = held.get(placeOf(file))
        if (known) held.set(placeOf(file), { ...known, document: { ...known.document, size, mtime } })
      }
      for (const document of batch.removed) held.delete(placeOf(document))
      for (const one of toHeld(batch, () => nextId++)) held.set(placeOf(one.document), one)
    },
    async search({ meaning, scope, ...ask }) {
      const all = sorted()
      const chunks = all.flatMap((one) => one.chunks.map((chunk) => ({ ...one, chunk })))
      const rows = rowsOf(all, scope)
      const corpus = corpusOf(all)
      const meant =
        meaning &&
        meaningRows(
          chunks.map(({ chunk }) => chunk),
          rows,
          meaning,
        )
      return hybridSearch(rows, scoreChunks(ask.terms, corpus), meant, {
        ...ask,
        beta: meaning?.beta,
        describe: (row) => chunks[row]!.document,
      }).map(({ row, parts, ...facts }) => {
        const chunkAt = (at: number) => {
          const { id, startLine, endLine, heading } = chunks[at]!.chunk
          return { id, startLine, endLine, heading }
        }
        return { ...facts, document: chunks[row]!.document, chunk: chunkAt(row), parts: parts.map(chunkAt) }
      })
    },
    async frequencies() {
      const corpus = corpusOf(sorted())
      return { chunks: corpus.size, of: (term) => corpus.postings(term).docs.length }
    },
    documents: async ({ collection, path, key, where = () => true }) =>
      byPath().filter(
        (d) =>
          where(d) &&
          (collection ?? d.collection) === d.collection &&
          (path === undefined || (path === d.path && d.entry === undefined)) &&
          (key ?? d.key) === d.key,
      ),
    async unembedded(embedder, limit, after = -1) {
      const lacking = [...held.values()].map(({ document, chunks }) =>
        chunks
          .map(({ counts: _counts, length: _length, ...chunk }, at) => ({
            ...chunk,
            at,
            document: document.id,
            epoch: 0,
          }))
          .filter(({ vectors }) => !vectors.has(embedder)),
      )
      return lacking
        .filter((chunks) => chunks.length > 0 && chunks[0]!.document > after)
        .sort((a, b) => a[0]!.document - b[0]!.document)
        .slice(0, limit)
        .flat()
        .map(({ vectors: _vectors, ...chunk }) => chunk)
    },
    async storeVectors(embedder, vectors) {
      generation++
      const chunks = new Map([...held.values()].flatMap((one) => one.chunks.map((chunk) => [chunk.id, chunk])))
      for (const { chunk, vector } of vectors) chunks.get(chunk)?.vectors.set(embedder, vector)
    },
    async status() {
      const all = sorted().filter((one) => one.chunks.length > 0)
      const chunks = all.flatMap((one) => one.chunks)
      const count = (names: readonly string[]) =>
        Object.fromEntries(
          Object.entries(Object.groupBy(names, (name) => name)).map(([name, same]) => [name, same!.length]),
        )
      return {
        ...placeCounts(all.map(({ document }) => ({ ...document, documents: 1 }))),
        chunks: chunks.length,
        vectors: count(chunks.flatMap(({ vectors }) => [...vectors.keys()])),
        bytes: 0,
        generation,
      }
    },
    async close() {},
  }
}

const placeOf = ({ collection, path, entry }: Pick<DocumentFacts, 'collection' | 'path' | 'entry'>): string =>
  [collection, path, ...(entry === undefined ? [] : [entry])].join('\0')
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function toHeld({ documents, postings, vectors }: IndexBatch, newId: () => number): Held[] {
  const counts: Map<string, number>[] = documents.flatMap(({ chunks }) => chunks.map(() => new Map()))
  for (const leaf of postings.leaves) {
    eachTerm(leaf, (term, entries) =>
      entries.forEach((entry) => counts[entryChunk(entry)]!.set(term, entryCount(entry))),
    )
  }
  let chunk = 0
  return documents.map(({ facts, chunks }) => ({
    document: identified(facts),
    chunks: chunks.map((own) => {
      const at = chunk++
      const made = vectors === undefined ? [] : [[vectors.embedder, vectors.all[at]!] as const]
      return { ...own, id: newId(), counts: counts[at]!, vectors: new Map(made) }
    }),
  }))
}

function identified(facts: DocumentFacts): StoredDocument {
  const key = sha256(placeOf(facts)).slice(0, 12)
  return { ...facts, key, id: parseInt(key, 16) }
}

function rowsOf(all: readonly Held[], scope: SearchScope): RankedRows {
  const allows = scopeFilter(scope)
  const ownerOf = Uint32Array.from(all.flatMap(({ chunks }, owner) => chunks.map(() => owner)))
  return {
    size: ownerOf.length,
    documents: all.length,
    ownerOf,
    standing: Uint8Array.from(all, ({ document }) =>
      allows(document) ? (document.superseded === undefined ? HOLDS : SUPERSEDED) : OUT,
    ),
  }
}

function corpusOf(all: readonly Held[]): ChunkCorpus {
  const chunks = all.flatMap((one) => one.chunks)
  const lengths = Uint32Array.from(chunks, ({ length }) => length)
  return {
    size: chunks.length,
    lengths,
    averageLength: chunks.length === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / chunks.length,
    postings(term) {
      const found = chunks.flatMap(({ counts }, row) => (counts.has(term) ? [{ row, count: counts.get(term)! }] : []))
      return { docs: Uint32Array.from(found, ({ row }) => row), counts: Uint32Array.from(found, ({ count }) => count) }
    },
  }
}

function meaningRows(
  chunks: readonly HeldChunk[],
  rows: RankedRows,
  { embedder, vector }: { embedder: string; vector: QuantizedVector },
): MeaningRows {
  const query = dequantize(vector)
  const scored = chunks.flatMap(({ vectors }, row) => {
    const own = vectors.get(embedder)
    return own && rows.standing[rows.ownerOf[row]!] !== OUT
      ? [{ row, score: Math.fround(cosine(query, dequantize(own))) }]
      : []
  })
  const nearest = scored.toSorted((a, b) => b.score - a.score || a.row - b.row)
  return {
    nearest: (count) => nearest.slice(0, count),
    of: (wanted) => new Map(scored.filter(({ row }) => wanted.includes(row)).map(({ row, score }) => [row, score])),
  }
}
