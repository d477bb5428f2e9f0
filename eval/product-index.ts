import { openSqliteIndex } from '../src/adapters/index/sqlite/index.ts'
import { openTreeSitterParser } from '../src/adapters/parse/tree-sitter/index.ts'
import { openVectorScan } from '../src/adapters/vectors/wasm/index.ts'
import {
  chunkDocument,
  textToEmbed,
  analyseDocument,
  type DocumentPlace,
} from '../src/core/chunking/analyse-document.ts'
import type { CodeOutline } from '../src/core/chunking/code-outline.ts'
import { asksAboutOneself } from '../src/core/ranking/document-worth.ts'
import { openPacker } from '../src/core/ranking/packed-postings.ts'
import { quantize } from '../src/core/ranking/vector.ts'
import { analyseQuery } from '../src/core/text/analyse.ts'
import { outlineWith } from '../src/memory/index-files.ts'
import { RARITY_POWER } from '../src/memory/search.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import type { IndexHit, IndexQuestion, SearchIndex } from '../src/ports/search-index.ts'
import type { LabelledPart, LabelledQuery } from './labelled-sets.ts'

export interface ProductIndex {
  /** Asks as memory_search, memory_vsearch and memory_query do. */
  search(query: LabelledQuery, by: IndexQuestion['by'], limit: number): Promise<readonly IndexHit[]>
  close(): Promise<void>
}

export const documentOf = ({ document }: IndexHit): number => parseInt(document.path, 10)

/** The documents of a set in an index of the product, cut, analysed and embedded as files on a disk would be. */
export async function indexPart(part: LabelledPart, embedder: Embedder | undefined): Promise<ProductIndex> {
  const index = openSqliteIndex({ path: ':memory:', openScan: openVectorScan })
  await fill(index, part, embedder)
  const rarity = await index.rarity()
  return {
    async search({ text, exclude }, by, limit) {
      const [vector] =
        embedder && by !== 'words' ? await embedder.embed([text], 'query', (word) => rarity(word) ** RARITY_POWER) : []
      const meaning = embedder &&
        vector && { embedder: embedder.id, vector: quantize(vector), beta: embedder.calibration?.weight }
      const scope =
        exclude === undefined
          ? {}
          : { collections: part.documents.flatMap((_, at) => (at === exclude ? [] : [String(at)])) }
      return index.search({
        terms: analyseQuery(text),
        by,
        aboutAsker: asksAboutOneself(text),
        scope,
        limit,
        ...(meaning && { meaning }),
      })
    },
    close: () => index.close(),
  }
}

async function fill(
  index: SearchIndex,
  { origin, extension, documents }: LabelledPart,
  embedder: Embedder | undefined,
): Promise<void> {
  // Each in its own collection, so that a question can leave one of them out.
  const place = (at: number): DocumentPlace => ({
    collection: String(at),
    path: `${at}${extension}`,
    origin,
    trust: 'untrusted',
    workspace: 'global',
    project: undefined,
    size: 1,
    mtime: 1,
    hash: '',
  })
  const outlines =
    origin === 'code' ? await outlinesOf(documents.map(({ file }, at) => ({ text: file, path: place(at).path }))) : []
  const packer = openPacker()
  const prepared = documents.map(({ file }, at) =>
    analyseDocument(place(at), file, { take: packer.add, outline: outlines[at] }),
  )
  await index.write({ documents: prepared, postings: packer.pack(), removed: [], restamped: [] })
  if (embedder === undefined) return
  const numberOf = new Map((await index.documents({})).map(({ id, path }) => [id, parseInt(path, 10)]))
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
