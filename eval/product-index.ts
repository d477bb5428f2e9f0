import {
  chunkDocument,
  textToEmbed,
  analyseDocument,
  type DocumentPlace,
} from '../src/memory/domain/document/analyse-document.ts'
import { outlineWith } from '../src/memory/index-files.ts'
import { openSqliteIndex } from '../src/memory/index/sqlite/index.ts'
import type { MemoryQuestion } from '../src/memory/ports/memory.ts'
import type { SearchIndex } from '../src/memory/ports/search-index.ts'
import { openSearchModels } from '../src/memory/search-models.ts'
import { searchMemory } from '../src/memory/search.ts'
import type { CodeOutline } from '../src/retrieval/domain/chunking/code-outline.ts'
import { openPacker } from '../src/retrieval/domain/ranking/packed-postings.ts'
import { quantize } from '../src/retrieval/domain/ranking/vector.ts'
import { isTold, type Verdict } from '../src/retrieval/domain/ranking/verdict.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import type { Reranker } from '../src/retrieval/ports/reranker.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import type { LabelledDocument, LabelledPart } from './labelled-sets.ts'
import type { LabelledLines } from './read-sets.ts'

export interface ProductIndex {
  /** The documents that memory_search, memory_vsearch and memory_query return, best first, each once. */
  search(text: string, by: MemoryQuestion['by'], limit: number): Promise<readonly number[]>
  /** The lines that memory_query shows for its hits, best first. */
  ranges(text: string, limit: number): Promise<readonly LabelledLines[]>
  /** The best hit of memory_query, and the verdicts on all. */
  judged(text: string): Promise<{ readonly first: number | undefined; readonly verdicts: readonly Verdict[] }>
  close(): Promise<void>
}

/** Indexes a set's documents with the product: chunked, analysed and embedded like files on disk. */
export async function indexPart(
  part: LabelledPart,
  { embedder, reranker }: { embedder: Embedder | undefined; reranker?: Reranker | undefined },
): Promise<ProductIndex> {
  const index = openSqliteIndex({ path: ':memory:', openScan: openVectorScan })
  await fill(index, part, embedder)
  const numbers = new Map(part.documents.map((document, at) => [pathOf(part, document, at), at]))
  const parts = {
    index,
    texts: async () => ({
      text: ({ path }: { path: string }) => part.documents[numbers.get(path)!]!.file,
      stamp: () => STAMP,
    }),
    embedder: async () => embedder,
    models: openSearchModels({ expansion: async () => undefined, reranker: async () => reranker }),
  }
  return {
    async search(text, by, limit) {
      const { hits } = await searchMemory(parts, { text, by, limit, scope: {} })
      return [...new Set(hits.map(({ path }) => numbers.get(path)!))]
    },
    async ranges(text, limit) {
      const { hits } = await searchMemory(parts, { text, by: 'both', limit, scope: {} })
      return hits
        .filter(({ verdict }) => isTold(verdict))
        .flatMap(({ path, startLine, endLine, parts: further }) =>
          [{ startLine, endLine }, ...further].map((range) => ({
            document: numbers.get(path)!,
            startLine: range.startLine,
            endLine: range.endLine,
          })),
        )
    },
    async judged(text) {
      const { hits } = await searchMemory(parts, { text, by: 'both', limit: LIMIT, scope: {} })
      return { first: hits[0] && numbers.get(hits[0].path)!, verdicts: hits.map(({ verdict }) => verdict) }
    },
    close: () => index.close(),
  }
}

/** The default of memory_query. */
const LIMIT = 10
const STAMP = { size: 1, mtime: 1 }

const pathOf = ({ extension }: LabelledPart, { path }: LabelledDocument, at: number): string =>
  `/set/${path ?? `${at}${extension}`}`

async function fill(index: SearchIndex, part: LabelledPart, embedder: Embedder | undefined): Promise<void> {
  const { origin, documents } = part
  const place = (at: number): DocumentPlace => ({
    collection: 'set',
    path: pathOf(part, documents[at]!, at),
    origin,
    trust: 'untrusted',
    workspace: 'global',
    project: undefined,
    hash: '',
    ...STAMP,
  })
  const outlines =
    origin === 'code' ? await outlinesOf(documents.map(({ file }, at) => ({ text: file, path: place(at).path }))) : []
  const packer = openPacker()
  const prepared = documents.map(({ file }, at) =>
    analyseDocument(place(at), file, { take: packer.add, outline: outlines[at] }),
  )
  await index.write({ documents: prepared, postings: packer.pack(), removed: [], restamped: [] })
  if (embedder === undefined) return
  const numbers = new Map(prepared.map(({ facts }, at) => [facts.path, at]))
  const numberOf = new Map((await index.documents({})).map(({ id, path }) => [id, numbers.get(path)!]))
  for (const [id, chunks] of Map.groupBy(
    await index.unembedded(embedder.id, documents.length),
    ({ document }) => document,
  )) {
    const at = numberOf.get(id)!
    const cut = chunkDocument(place(at), documents[at]!.file, outlines[at])
    const vectors = await embedder.embed(
      chunks.map((chunk) => textToEmbed(prepared[at]!.facts.title, chunk.heading, cut[chunk.at]!.text)),
      'document',
    )
    await index.storeVectors(
      embedder.id,
      chunks.map((chunk, i) => ({ chunk: chunk.id, vector: quantize(vectors[i]!) })),
    )
  }
}

async function outlinesOf(files: readonly { text: string; path: string }[]): Promise<(CodeOutline | undefined)[]> {
  const parser = openTreeSitterParser()
  const outlineCode = outlineWith(async () => parser)
  const outlines: (CodeOutline | undefined)[] = []
  for (const { text, path } of files) outlines.push(await outlineCode(text, path))
  await parser.close()
  return outlines
}
