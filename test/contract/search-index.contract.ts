import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendTokens, newTokenList } from '../../src/kernel/domain/text/analyse.ts'
import type { IndexBatch, IndexQuestion, SearchIndex } from '../../src/memory/ports/search-index.ts'
import {
  type DocumentFacts,
  ORIGINS,
  type SearchScope,
  scopeFilter,
} from '../../src/retrieval/domain/ranking/indexed-document.ts'
import { REPLY_MARK } from '../../src/retrieval/domain/ranking/marks.ts'
import { openPacker, type PackedPostings } from '../../src/retrieval/domain/ranking/packed-postings.ts'
import { readQuestion } from '../../src/retrieval/domain/ranking/read-question.ts'
import { quantize } from '../../src/retrieval/domain/ranking/vector.ts'
import { wordEmbedder } from './word-embedder.ts'

const embedder = wordEmbedder()

export interface Sample extends Partial<Omit<DocumentFacts, 'path'>> {
  readonly path: string
  /** One text per chunk. */
  readonly texts: readonly string[]
}

/** `chunksInPart` cuts the postings into parts of so many chunks. */
export function batchOf(
  samples: readonly Sample[],
  removed: IndexBatch['removed'] = [],
  chunksInPart = Infinity,
): IndexBatch {
  const packer = openPacker()
  const postings: PackedPostings[] = []
  const lengths = samples
    .flatMap(({ texts }) => texts)
    .map((text, at) => {
      if (at > 0 && at % chunksInPart === 0) {
        postings.push(...packer.pack())
        packer.begin()
      }
      const tokens = newTokenList()
      appendTokens(text, tokens)
      packer.add(tokens)
      return tokens.size
    })
  let chunk = 0
  return {
    documents: samples.map(({ texts, ...given }) => ({
      facts: {
        collection: 'docs',
        title: given.path,
        origin: 'document',
        trust: 'untrusted',
        workspace: 'global',
        project: undefined,
        tags: [],
        modified: 0,
        size: 1,
        mtime: 1,
        hash: texts.join('\n'),
        superseded: undefined,
        ...given,
      },
      chunks: texts.map((_, i) => ({ startLine: i + 1, endLine: i + 1, heading: '', length: lengths[chunk++]! })),
    })),
    postings: [...postings, ...packer.pack()],
    removed,
    restamped: [],
  }
}

export async function embedAll(index: SearchIndex, samples: readonly Sample[]): Promise<void> {
  const texts = new Map(samples.map((sample) => [`${sample.collection ?? 'docs'}\0${sample.path}`, sample.texts]))
  const documents = new Map((await index.documents({})).map((document) => [document.id, document]))
  const pending = await index.unembedded(embedder.id, 10_000)
  const vectors = await embedder.embed(
    pending.map(({ document, at }) => {
      const { collection, path } = documents.get(document)!
      return texts.get(`${collection}\0${path}`)![at]!
    }),
    'document',
  )
  await index.storeVectors(
    embedder.id,
    pending.map(({ id }, i) => ({ chunk: id, vector: quantize(vectors[i]!) })),
  )
}

export async function question(text: string, more: Partial<IndexQuestion> = {}): Promise<IndexQuestion> {
  const [vector] = await embedder.embed([text], 'query')
  return {
    ...readQuestion(text),
    by: 'words',
    scope: {},
    limit: 10,
    meaning: { embedder: embedder.id, vector: quantize(vector!), beta: 1 },
    ...more,
  }
}

/**
 * Contract of every index back end. Each example of a property opens an index, so a slow back end uses fewer examples.
 */
export function describeSearchIndex(name: string, open: () => SearchIndex, { examples = 40 } = {}): void {
  describe(`search index: ${name}`, () => {
    const paths = async (index: SearchIndex, text: string, more: Partial<IndexQuestion> = {}) =>
      (await index.search(await question(text, more))).map(({ document }) => document.path)

    test('finds by words, the better match first, with the lines of the best chunk', async () => {
      const index = open()
      await index.write(
        batchOf([
          { path: 'a', texts: ['redis cache for hot reads', 'nothing here'] },
          { path: 'b', texts: ['postgres', 'a cache of many other things that are said at length'] },
        ]),
      )
      const hits = await index.search(await question('redis cache'))
      expect(hits.map(({ document, chunk }) => [document.path, chunk.startLine])).toEqual([
        ['a', 1],
        ['b', 2],
      ])
      expect(hits[0]).toMatchObject({ hasAllWords: true, cosine: null })
      expect(hits[1]).toMatchObject({ hasAllWords: false })
      expect(hits[0]!.coverage).toBeGreaterThan(hits[1]!.coverage)
      await index.close()
    })

    test('a document is listed once, the first with at most four further matching parts and others with two, and displaces no other document', async () => {
      const index = open()
      const same = 'redis cache for hot reads'
      const long = { path: 'long', texts: [same, 'nothing here', same, same, same, 'a cache'] }
      const samples = [
        long,
        { path: 'short', texts: ['redis cache'] },
        { path: 'far', texts: ['a garden of other things'] },
      ]
      await index.write(batchOf(samples))
      await embedAll(index, samples)
      for (const by of ['words', 'meaning', 'both'] as const) {
        const hits = await index.search(await question('redis cache', { by, limit: 2 }))
        expect(hits.map(({ document }) => document.path).sort()).toEqual(['long', 'short'])
        const at = hits.findIndex(({ document }) => document.path === 'long')
        const { chunk, parts } = hits[at]!
        expect([chunk, ...parts].map(({ startLine }) => startLine)).toEqual(at === 0 ? [1, 3, 4, 5, 6] : [1, 3, 4])
      }
      await index.close()
    })

    test('the entries of a file are separate documents, and the file is found only by its path', async () => {
      const index = open()
      const entry = (name: string, text: string): Sample => ({ path: 'notes', entry: name, texts: [text] })
      await index.write(batchOf([{ path: 'notes', texts: [] }, entry('a', 'redis cache'), entry('b', 'redis queue')]))
      const found = await index.search(await question('redis'))
      expect(found.map(({ document }) => document.entry).sort()).toEqual(['a', 'b'])
      expect(new Set((await index.documents({})).map(({ key }) => key)).size).toBe(3)
      expect((await index.documents({ path: 'notes' })).map(({ entry: name }) => name)).toEqual([undefined])
      expect(await index.documents({ key: found[0]!.document.key })).toEqual([found[0]!.document])
      const named = await index.documents({ collection: 'docs', where: ({ entry: name }) => name !== undefined })
      expect(named.map(({ entry: name }) => name)).toEqual(['a', 'b'])
      expect(await index.status()).toMatchObject({ documents: 2, chunks: 2 })
      await index.write(batchOf([entry('b', 'redis stream')], [{ collection: 'docs', path: 'notes', entry: 'a' }]))
      const [left, ...others] = await index.search(await question('redis'))
      expect([left!.document.entry, others]).toEqual(['b', []])
      expect(await index.search(await question('queue'))).toEqual([])
      await index.close()
    })

    test('finds by meaning a text that shares no word with the question', async () => {
      const index = open()
      const samples = [
        { path: 'a', texts: ['kafka'] },
        { path: 'b', texts: ['redis'] },
      ]
      await index.write(batchOf(samples))
      await embedAll(index, samples)
      expect(await paths(index, 'rabbitmq', { by: 'words' })).toEqual([])
      expect(await paths(index, 'rabbitmq', { by: 'meaning' })).toEqual(['a'])
      expect(await paths(index, 'rabbitmq', { by: 'both' })).toEqual(['a'])
      await index.close()
    })

    test('a replaced document is found only by its new words', async () => {
      const index = open()
      await index.write(
        batchOf([
          { path: 'a', texts: ['alpha', 'beta'] },
          { path: 'b', texts: ['alpha'] },
        ]),
      )
      await index.write(batchOf([{ path: 'a', texts: ['gamma'] }]))
      expect(await paths(index, 'alpha')).toEqual(['b'])
      expect(await paths(index, 'gamma')).toEqual(['a'])
      await index.write(batchOf([], [{ collection: 'docs', path: 'b' }]))
      expect(await paths(index, 'alpha')).toEqual([])
      expect(await index.status()).toMatchObject({ documents: 1, chunks: 1 })
      await index.close()
    })

    test('a superseded document ranks below the current one, and is marked', async () => {
      const index = open()
      await index.write(
        batchOf([
          { path: 'old', texts: ['queue on redis'], superseded: { as: 'superseded', by: undefined } },
          { path: 'new', texts: ['queue on kafka and several more words beside it'] },
        ]),
      )
      const hits = await index.search(await question('queue'))
      expect(hits.map(({ document }) => [document.path, document.superseded?.as])).toEqual([
        ['new', undefined],
        ['old', 'superseded'],
      ])
      await index.close()
    })

    test('a superseded document counts in full if no current one covers it', async () => {
      const index = open()
      await index.write(
        batchOf([
          { path: 'old', texts: ['fax order intake'], superseded: { as: 'stale', by: undefined } },
          { path: 'other', texts: ['order service'] },
          { path: 'another', texts: ['billing'] },
        ]),
      )
      expect(await paths(index, 'fax order intake')).toEqual(['old', 'other'])
      await index.write(batchOf([{ path: 'new', texts: ['order intake by mail, no longer by fax'] }]))
      expect(await paths(index, 'fax order intake')).toEqual(['new', 'other', 'old'])
      await index.close()
    })

    test('chunks with equal coverage are ordered by the coverage of their documents', async () => {
      const index = open()
      const samples = [
        { path: 'a', texts: ['redis is fast', 'nothing here'] },
        { path: 'b', texts: ['redis is slow', 'kafka there'] },
        ...Array.from({ length: 6 }, (_, i) => ({ path: `other-${i}`, texts: ['something else', 'and more'] })),
      ]
      await index.write(batchOf(samples))
      await embedAll(index, samples)
      for (const by of ['words', 'both'] as const) {
        const [first] = await index.search(await question('redis kafka', { by }))
        expect([first!.document.path, first!.score > first!.coverage]).toEqual(['b', true])
      }
      await index.close()
    })

    test('a question about the asker ranks their own words above the replies', async () => {
      const index = open()
      const samples = [
        { path: 'said', texts: ['redis and much else that was said at some length'] },
        { path: 'told', texts: [`redis ${REPLY_MARK}`] },
      ]
      await index.write(batchOf(samples))
      await embedAll(index, samples)
      for (const by of ['words', 'meaning', 'both'] as const) {
        const scoreOf = async (path: string, aboutAsker: boolean) =>
          (await index.search(await question('redis', { by, aboutAsker }))).find(
            ({ document }) => document.path === path,
          )!.score
        expect(await scoreOf('told', true)).toBeCloseTo(0.8 * (await scoreOf('told', false)), 5)
        expect(await scoreOf('said', true)).toBe(await scoreOf('said', false))
      }
      await index.close()
    })

    test('vectors of deleted chunks are dropped, and chunks without one are reported', async () => {
      const index = open()
      await index.write(
        batchOf([
          { path: 'a', texts: ['redis', 'kafka'] },
          { path: 'b', texts: ['postgres'] },
        ]),
      )
      const pending = await index.unembedded('words-1', 10)
      expect(pending).toHaveLength(3)
      expect(await index.unembedded('words-1', 1)).toHaveLength(
        pending.filter(({ document }) => document === pending[0]!.document).length,
      )
      await index.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
      const [vector] = await embedder.embed(['x'], 'document')
      await index.storeVectors(
        'words-1',
        pending.map(({ id }) => ({ chunk: id, vector: quantize(vector!) })),
      )
      expect((await index.status()).vectors).toEqual({ 'words-1': 1 })
      expect(await index.unembedded('words-1', 10)).toEqual([])
      await index.close()
    })

    test('vectors may be written with the words, and are deleted with their document', async () => {
      const index = open()
      const write = async (samples: readonly Sample[]) => {
        const made = await embedder.embed(
          samples.flatMap(({ texts }) => texts),
          'document',
        )
        await index.write({ ...batchOf(samples), vectors: { embedder: embedder.id, all: made.map(quantize) } })
      }
      await write([
        { path: 'a', texts: ['nothing', 'kafka'] },
        { path: 'b', texts: ['redis'] },
      ])
      expect(await index.unembedded(embedder.id, 10)).toEqual([])
      const [hit] = await index.search(await question('rabbitmq', { by: 'meaning' }))
      expect(hit).toMatchObject({ document: { path: 'a' }, chunk: { startLine: 2 } })
      await write([{ path: 'a', texts: ['postgres'] }])
      expect((await index.status()).vectors).toEqual({ [embedder.id]: 2 })
      expect(await paths(index, 'rabbitmq', { by: 'meaning' })).toEqual([])
      expect(await paths(index, 'mysql', { by: 'meaning' })).toEqual(['a'])
      await index.close()
    })

    test('chunks without vectors can be read page by page', async () => {
      const index = open()
      await index.write(batchOf(['a', 'b', 'c'].map((path) => ({ path, texts: [path, `${path} again`] }))))
      const all = await index.unembedded('words-1', 10)
      const pages = []
      for (let after = -1; ;) {
        const page = await index.unembedded('words-1', 1, after)
        if (page.length === 0) break
        after = page.at(-1)!.document
        pages.push(...page)
      }
      expect(all).toHaveLength(6)
      expect(pages).toEqual(all)
      await index.close()
    })

    test('finds, replaces and removes a document that is written in several parts', async () => {
      const index = open()
      const long = { path: 'long', texts: ['alpha', 'beta', 'gamma', 'delta', 'omega alpha'] }
      await index.write(batchOf([{ path: 'before', texts: ['alpha'] }, long], [], 2))
      expect(await paths(index, 'omega')).toEqual(['long'])
      const [hit] = await index.search(await question('omega'))
      expect([hit!.document.path, hit!.chunk.startLine]).toEqual(['long', 5])
      expect(await paths(index, 'alpha')).toEqual(['before', 'long'])
      await index.write(batchOf([{ ...long, texts: ['alpha', 'beta', 'sigma'] }], [], 1))
      for (let i = 0; i < 12; i++) await index.write(batchOf([{ path: `p${i}`, texts: ['kappa', 'lambda'] }], [], 1))
      expect(await paths(index, 'omega')).toEqual([])
      expect(await paths(index, 'sigma')).toEqual(['long'])
      await index.write(batchOf([], [{ collection: 'docs', path: 'long' }]))
      for (let i = 0; i < 12; i++) await index.write(batchOf([{ path: `q${i}`, texts: ['kappa'] }]))
      expect(await paths(index, 'sigma')).toEqual([])
      expect(await paths(index, 'alpha')).toEqual(['before'])
      expect(await index.status()).toMatchObject({ documents: 25, chunks: 37 })
      await index.close()
    })

    test('the answer is full if the scope contains enough, however well documents outside it match', async () => {
      const index = open()
      const outside = Array.from({ length: 60 }, (_, i) => ({
        path: `out-${i}`,
        texts: ['redis redis cache'],
        workspace: 'a',
      }))
      const inside = Array.from({ length: 12 }, (_, i) => ({
        path: `in-${i}`,
        texts: [`a cache and a great many other words ${i}`],
        workspace: 'b',
      }))
      await index.write(batchOf([...outside, ...inside]))
      await embedAll(index, [...outside, ...inside])
      for (const by of ['words', 'meaning', 'both'] as const) {
        const hits = await index.search(
          await question('redis cache', { by, limit: 10, scope: { within: { workspaces: ['b'], projects: [] } } }),
        )
        expect(hits.map(({ document }) => document.workspace)).toEqual(Array(10).fill('b'))
      }
      await index.close()
    })

    test('no hit is outside its scope, and nothing inside it is lost', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(sample, { maxLength: 24 }),
          scope,
          fc.array(word, { maxLength: 4 }),
          async (samples, within, words) => {
            const index = open()
            const unique = [...new Map(samples.map((one) => [`${one.collection}\0${one.path}`, one])).values()]
            await index.write(batchOf(unique))
            await embedAll(index, unique)
            const allows = scopeFilter(within)
            for (const by of ['words', 'meaning', 'both'] as const) {
              for (const limit of [1, 3, 50]) {
                const hits = await index.search(await question(words.join(' '), { by, limit, scope: within }))
                expect(hits.every(({ document }) => allows(document))).toBe(true)
                const all = await index.search(await question(words.join(' '), { by, limit: 50, scope: {} }))
                expect(hits).toHaveLength(Math.min(limit, all.filter(({ document }) => allows(document)).length))
              }
            }
            await index.close()
          },
        ),
        { numRuns: examples },
      )
    })

    test('an index built incrementally returns the same results as one built at once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(sample, { maxLength: 6 }), { maxLength: 5 }),
          fc.array(fc.nat(30), { maxLength: 6 }),
          fc.integer({ min: 1, max: 8 }),
          async (steps, dropped, chunksInPart) => {
            const grown = open()
            const live = new Map<string, Sample>()
            for (const step of steps) {
              const unique = [...new Map(step.map((one) => [`${one.collection}\0${one.path}`, one])).values()]
              const gone = dropped
                .flatMap((n) => [...live.values()][n] ?? [])
                .map(({ collection, path }) => ({ collection: collection!, path }))
              await grown.write(batchOf(unique, gone, chunksInPart))
              for (const { collection, path } of gone) live.delete(`${collection}\0${path}`)
              for (const one of unique) live.set(`${one.collection}\0${one.path}`, one)
            }
            const fresh = open()
            await fresh.write(batchOf([...live.values()]))
            for (const index of [grown, fresh]) await embedAll(index, [...live.values()])
            for (const by of ['words', 'meaning', 'both'] as const) {
              const [a, b] = await Promise.all(
                [grown, fresh].map(async (index) =>
                  tell(await index.search(await question('cache kafka login alpha', { by, limit: 40 }))),
                ),
              )
              expect(a).toEqual(b)
            }
            await Promise.all([grown.close(), fresh.close()])
          },
        ),
        { numRuns: Math.ceil((examples * 5) / 8) },
      )
    })
  })
}

const tell = (hits: Awaited<ReturnType<SearchIndex['search']>>) =>
  hits.map(({ document, chunk, score, coverage, cosine }) => ({
    path: document.path,
    collection: document.collection,
    line: chunk.startLine,
    score,
    coverage,
    cosine,
  }))

const word = fc.constantFrom(
  'redis',
  'cache',
  'kafka',
  'queue',
  'login',
  'postgres',
  'alpha',
  'beta',
  'user_name',
  'gamma',
)
const sample: fc.Arbitrary<Sample> = fc.record({
  path: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  collection: fc.constantFrom('one', 'two', 'three'),
  workspace: fc.constantFrom('global', 'aaaaaaaaaaaa', 'bbbbbbbbbbbb'),
  project: fc.constantFrom(undefined, 'P1', 'P2'),
  origin: fc.constantFrom(...ORIGINS),
  tags: fc.uniqueArray(fc.constantFrom('x', 'Y', 'z')),
  modified: fc.nat(10),
  superseded: fc.constantFrom(undefined, undefined, { as: 'superseded', by: '7' }),
  texts: fc.array(
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 3 },
  ),
})

const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const scope: fc.Arbitrary<SearchScope> = fc.record({
  within: some(
    fc.record({
      workspaces: fc.uniqueArray(fc.constantFrom('global', 'aaaaaaaaaaaa', 'bbbbbbbbbbbb')),
      projects: fc.uniqueArray(fc.constantFrom('P1', 'P2')),
    }),
  ),
  collections: some(fc.uniqueArray(fc.constantFrom('one', 'two', 'three'))),
  origins: some(fc.uniqueArray(fc.constantFrom(...ORIGINS))),
  tags: some(fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 })),
  since: some(fc.nat(10)),
  until: some(fc.nat(10)),
})
