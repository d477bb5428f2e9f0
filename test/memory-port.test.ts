import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { operationNamed } from '../src/kernel/domain/named-operation.ts'
import { openLease } from '../src/kernel/lease/sqlite/index.ts'
import { EVERYBODY } from '../src/memory/domain/note/note-owner.ts'
import { renderResults } from '../src/memory/operations/render-results.ts'
import type { Memory } from '../src/memory/ports/memory.ts'
import { expiredFolders } from '../src/memory/upkeep-cycle.ts'

const SECRET = ['gh', 'p_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'].join('')
let place: string
let ken: Ken
let memory: Memory

beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-memory-port-')))
  mkdirSync(join(place, 'docs'))
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_UPKEEP: '0' }, () => {})
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: place })
  ctx.collections.add(
    { name: 'docs', path: join(place, 'docs'), pattern: '**/*.md', origin: 'document', workspace: undefined },
    place,
  )
  memory = await ctx.memory()
})
afterEach(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

const update = () => memory.update({ embed: true, progress: () => {} })
const snippets = async (text: string) =>
  (await memory.search({ text, by: 'words', scope: {}, limit: 10 })).hits.map(({ snippet }) => snippet)

// An operation redacts its answer once more, which would hide a mistake of the memory itself.
test('the memory itself shows no secret of an indexed file', async () => {
  const path = join(place, 'docs', 'deploy.md')
  writeFileSync(path, `# Deploy\n\nThe capybara service is deployed with ${SECRET} every night.\n`)
  await update()
  const [snippet] = await snippets('capybara service')
  expect(snippet).toContain('The capybara service is deployed with')
  expect(snippet).not.toContain(SECRET)
  expect((await memory.read(path, { within: undefined }))!.text).not.toContain(SECRET)
})

test('the memory itself shows no secret written to the file after it was indexed', async () => {
  const path = join(place, 'docs', 'deploy.md')
  writeFileSync(path, '# Deploy\n\nThe capybara service is deployed every night.\n')
  await update()
  writeFileSync(path, `# Deploy\n\nThe capybara service is deployed with ${SECRET} every night.\n`)
  const [snippet] = await snippets('capybara service')
  expect(snippet).toContain('The capybara service is deployed with')
  expect(snippet).not.toContain(SECRET)
})

test('a note is found by its meaning as soon as it is written', async () => {
  await memory.write({ content: 'We picked the kitten photograph.', target: 'daily', tags: [], owner: EVERYBODY })
  expect(await memory.status()).toMatchObject({ documents: 1, pending: 0 })
  const { hits } = await memory.search({ text: 'image of a young cat', by: 'meaning', scope: {}, limit: 10 })
  expect(hits).toMatchObject([{ origin: 'note', foundBy: 'meaning' }])
})

test('writing a note returns the file and the line of its heading', async () => {
  const first = await memory.write({ content: 'One.', target: 'memory', tags: [], owner: EVERYBODY })
  const second = await memory.write({ content: 'Two.', target: 'memory', tags: ['ops'], owner: EVERYBODY })
  const lines = readFileSync(second.path, 'utf8').split('\n')
  expect(lines[first.line - 1]).toMatch(/^## \d{4}-/)
  expect(lines.slice(second.line - 1, second.line + 4)).toEqual([
    expect.stringMatching(/^## \d{4}-/),
    '',
    'tags: ops',
    'scope: global',
    'Two.',
  ])
})

test('the contents of a scope are counted before a search', async () => {
  writeFileSync(join(place, 'docs', 'a.md'), '---\ntags: [Ops, staging]\n---\n\n# A\n\nText.\n')
  await update()
  await memory.write({ content: 'A note.', target: 'daily', tags: ['diary'], owner: EVERYBODY })
  expect(await memory.holds({ collections: ['docs'] })).toMatchObject({ documents: 1 })
  expect(await (await memory.holds({})).tags()).toContain('diary')
  expect(await (await memory.holds({ collections: ['docs'] })).tags()).not.toContain('diary')
  const nowhere = await memory.holds({ collections: ['nowhere'] })
  expect([nowhere.documents, await nowhere.tags()]).toEqual([0, []])
})

test('a missing folder is reported and keeps its documents, which are updated when it is back', async () => {
  writeFileSync(join(place, 'docs', 'a.md'), '# A\n\nThe capybara service.\n')
  writeFileSync(join(place, 'docs', 'b.md'), '# B\n\nThe wombat service.\n')
  await update()
  renameSync(join(place, 'docs'), join(place, 'papers'))
  expect(await update()).toMatchObject({
    removed: 0,
    skipped: [{ path: join(place, 'docs'), reason: expect.stringContaining('ken collection remove docs') }],
  })
  const { hits } = await memory.search({ text: 'capybara', by: 'words', scope: {}, limit: 10 })
  expect(hits).toMatchObject([{ isUnavailable: true, snippet: expect.stringContaining('its folder is missing') }])
  expect(await memory.status()).toMatchObject({ documents: 2, missing: [{ collection: 'docs' }] })
  rmSync(join(place, 'papers', 'b.md'))
  renameSync(join(place, 'papers'), join(place, 'docs'))
  expect(await update()).toMatchObject({ removed: 1, skipped: [] })
  expect(await memory.status()).toMatchObject({ documents: 1, missing: [] })
})

test('documents in a folder that has been missing for 30 days are removed, unless it has come back in the meantime', async () => {
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: place })
  const upkeep = await ctx.upkeep()
  const expiredAfter = (days: number) =>
    expiredFolders({ ...ctx, clock: { ...ctx.clock, now: () => new Date(days * 86_400_000) } }, upkeep)
  const [docs, papers] = [join(place, 'docs'), join(place, 'papers')]
  writeFileSync(join(docs, 'a.md'), '# A\n\nThe capybara service.\n')
  await update()
  renameSync(docs, papers)
  expect([await expiredAfter(0), await expiredAfter(29)]).toEqual([[], []])
  renameSync(papers, docs)
  expect(await expiredAfter(30)).toEqual([])
  renameSync(docs, papers)
  expect([await expiredAfter(31), await expiredAfter(60), await expiredAfter(61)]).toEqual([[], [], [docs]])
  const expired = await expiredAfter(61)
  expect(await memory.update({ embed: false, expired, progress: () => {} })).toMatchObject({ removed: 1, skipped: [] })
  expect(await memory.status()).toMatchObject({ documents: 0 })
})

test.each(['utf16le', 'utf16be'] as const)('a file in %s is found and read', async (encoding) => {
  const bytes = Buffer.from('\ufeff# Plan\n\nThe capybara café.\n', 'utf16le')
  const path = join(place, 'docs', 'plan.md')
  writeFileSync(path, encoding === 'utf16le' ? bytes : bytes.swap16())
  expect(await update()).toMatchObject({ added: 1, skipped: [] })
  expect(await snippets('capybara')).toEqual([expect.stringContaining('The capybara café.')])
  expect((await memory.read(path, { within: undefined }))!.text).toContain('The capybara café.')
})

const CAT = '# Choice\n\nWe picked the kitten photograph.\n'
const askBy = (by: 'words' | 'meaning' | 'both', text: string) => memory.search({ text, by, scope: {}, limit: 10 })

test('files are embedded while their words are indexed, and the update reports it', async () => {
  writeFileSync(join(place, 'docs', 'cat.md'), CAT)
  expect(await update()).toMatchObject({ added: 1, embedded: 1 })
  expect(await memory.status()).toMatchObject({ pending: 0 })
  const answer = await askBy('meaning', 'image of a young cat')
  expect(answer).toMatchObject({ hits: [{ foundBy: 'meaning' }], notes: [] })
  expect(answer.pending).toBeUndefined()
  expect(await update()).toMatchObject({ added: 0, embedded: 0 })
})

test('vectors made along with the words equal those made later', async () => {
  for (let i = 0; i < 5; i++) writeFileSync(join(place, 'docs', `${i}.md`), `# Page ${i}\n\n${CAT}\nNumber ${i}.\n`)
  await update()
  const before = vectorsIn(place)
  const { space } = await ken.context({ origin: { surface: 'cli' }, cwd: place }).upkeep()
  expect(await space.removeVectors(() => true)).toBe(5)
  expect(await update()).toMatchObject({ added: 0, embedded: 5 })
  expect(before).toHaveLength(5)
  expect(vectorsIn(place)).toEqual(before)
})

test('chunks without a vector are searched by words, and the answer reports them with the next step', async () => {
  writeFileSync(join(place, 'docs', 'cat.md'), CAT)
  await memory.update({ embed: false, progress: () => {} })
  for (const by of ['meaning', 'both'] as const) {
    expect(await askBy(by, 'kitten')).toMatchObject({
      hits: [{ foundBy: 'words' }],
      notes: [
        `None of 1 part has a vector yet, so only words were compared; ${operationNamed('memory_update')} makes them.`,
      ],
      pending: 1,
    })
  }
  expect(await askBy('words', 'kitten')).toMatchObject({ hits: [{ foundBy: 'words' }], notes: [] })
  await update()
  writeFileSync(join(place, 'docs', 'dog.md'), '# Dog\n\nThe puppy barks.\n')
  await memory.update({ embed: false, progress: () => {} })
  const partly = `1 of 2 parts have no vector yet and were compared by words at most; ${operationNamed('memory_update')} makes them.`
  expect(await askBy('both', 'image of a young cat')).toMatchObject({ hits: [{ foundBy: 'meaning' }], notes: [partly] })
  const lease = openLease(join(place, 'home', '.index-lease.db'))
  const release = lease.tryTake()!
  expect((await askBy('meaning', 'image of a young cat')).notes).toEqual([
    expect.stringContaining('they are being made right now'),
  ])
  release()
  lease.close()
})

test('an empty answer names the missing vectors before reporting no results', () => {
  const empty = { results: [], verdict: 'none', stages: ['lexical'], notes: ['Why.'] }
  const input = { query: 'cat', limit: 10 }
  expect(renderResults({ ...empty, vectors_pending: 3 }, input)).toBe(
    'Vectors are missing, and nothing was found yet for "cat".\n(Why.)',
  )
  expect(renderResults(empty, input)).toBe('Nothing found for "cat".\n(Why.)')
})

function vectorsIn(folder: string) {
  const database = new DatabaseSync(join(folder, 'home', 'index.db'), { readOnly: true })
  const sql = 'SELECT path, scale, hex(data) AS data FROM vector JOIN document ON first_chunk = chunk ORDER BY path'
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

test('results whose paths share no folder are shown with whole paths', () => {
  const paths = ['/a/b.md', 'shared/c.md']
  const results = paths.map((path) => ({ path, origin: 'document', title: path, id: 'x', snippet: '', age_days: 0 }))
  const output = { results, notes: [], stages: [], verdict: 'strong' }
  expect(renderResults(output as never, { query: 'q' } as never)).toMatch(/\/a\/b\.md:[^]*shared\/c\.md:/)
})
