import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openKen } from '../src/app/open.ts'
import { indexBatch } from '../src/memory/index-batch.ts'
import type { IndexBatch } from '../src/memory/ports/search-index.ts'
import { eachTerm, MOST_LEAVES } from '../src/retrieval/domain/ranking/packed-postings.ts'

/** Reproducible numbers below a limit. */
function dice(): (below: number) => number {
  let state = 7
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below
}

const CHARACTERS = 40_000
/** Enough for several parts. */
const MANY = 140_000
const line = (unit: (below: (limit: number) => number) => string, characters = CHARACTERS): string => {
  const below = dice()
  const units: string[] = []
  for (let size = 0; size < characters; size += units.at(-1)!.length) units.push(unit(below))
  return units.join('')
}
const from = (first: number, count: number) => (below: (limit: number) => number) =>
  String.fromCodePoint(first + below(count))
const letter = from(97, 26)
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Files of one line without a break that a reader would see. */
const LINES: Record<string, () => string> = {
  'random Chinese characters': () => line(from(0x4e00, 20_000), MANY),
  'random Korean syllables': () => line(from(0xac00, 11_000)),
  'minified JavaScript': () =>
    line((below) => `function ${letter(below)}${letter(below)}(a,b){return a.x${below(9_999)}?b["k${below(99)}"]:!a};`),
  base64: () => line((below) => BASE64[below(64)]!),
  'one Latin word': () => line(letter),
  emoji: () => line(from(0x1f300, 700)),
  'ids that occur once': () => line((below) => `${(36 ** 6 + below(2_000_000_000)).toString(36)} `),
  'names in camelCase': () => line((below) => `${letter(below).toUpperCase()}${letter(below)}${letter(below)}`),
  dashes: () => '-'.repeat(CHARACTERS),
  'a quoted title without an end': () => `---\ntitle: "${'a'.repeat(CHARACTERS)}"\n---\n`,
}

test.each(Object.entries(LINES))('a file of one line of %s is packed in parts of a bounded size', async (_, make) => {
  const text = make()
  let batch: IndexBatch | undefined
  const documents = { contents: () => ({ text, hash: 'x' }) }
  const index = { write: async (written: IndexBatch) => void (batch = written) }
  const place = {
    collection: 'docs',
    path: '/docs/line.md',
    origin: 'document',
    trust: 'untrusted',
    workspace: 'global',
    project: undefined,
    size: text.length,
    mtime: 1,
  } as const
  expect(await indexBatch({ documents, index }, [{ place, knownHash: undefined }])).toMatchObject({ added: 1 })
  const { postings } = batch!
  const [{ chunks }] = batch!.documents as [IndexBatch['documents'][number]]
  expect(postings.reduce((sum, part) => sum + part.chunks, 0)).toBe(chunks.length)
  // Consecutive chunks share 15 % of their text, and a chunk has at most 4,400 characters.
  expect(chunks.length).toBeLessThan((1.5 * text.length) / 3_600 + 2)
  for (const { length } of chunks) expect(length).toBeLessThan(3 * 4_400)
  for (const { leaves } of postings) {
    expect(leaves.length).toBeLessThanOrEqual(MOST_LEAVES / 2)
    let terms = 0
    for (const leaf of leaves) eachTerm(leaf, () => terms++)
    expect(terms).toBeLessThan(120_000)
  }
})

test('a stopped update ends at once in the middle of a file, and the next one indexes it', async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-long-line-')))
  mkdirSync(join(place, 'docs'))
  // Too large for this thread: a worker indexes it.
  writeFileSync(
    join(place, 'docs', 'line.md'),
    `${'word. '.repeat(100_000)}The okapi eats leaves. ${'word. '.repeat(9_000)}`,
  )
  const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_UPKEEP: '0' }, () => {})
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: place })
  ctx.collections.add(
    { name: 'docs', path: join(place, 'docs'), pattern: '**/*.md', origin: 'document', workspace: undefined },
    place,
  )
  const memory = await ctx.memory()
  const stop = new AbortController()
  const update = memory.update({ embed: true, progress: () => {}, signal: stop.signal })
  stop.abort()
  await expect(update).rejects.toMatchObject({ code: 'stopped' })
  expect(await memory.status()).toMatchObject({ documents: 0, chunks: 0 })
  expect(await memory.update({ embed: true, progress: () => {} })).toMatchObject({ added: 1 })
  const { hits } = await memory.search({ text: 'okapi', by: 'words', scope: {}, limit: 3 })
  expect(hits).toHaveLength(1)
  expect(hits[0]!.snippet).toContain('okapi eats leaves')
  const again = memory.update({ embed: true, progress: () => {}, collections: ['docs'] })
  await ken.close()
  await expect(
    again.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    ),
  ).resolves.toMatch(/^(?:done|stopped)$/)
  rmSync(place, { recursive: true, force: true })
})
