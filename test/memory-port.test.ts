import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { EVERYBODY } from '../src/core/note/note-owner.ts'
import type { Memory } from '../src/ports/memory.ts'

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

// What an operation answers is redacted once more on its way out, which would hide a slip of the memory's own.
test('the memory itself shows no secret of a file that it indexed', async () => {
  const path = join(place, 'docs', 'deploy.md')
  writeFileSync(path, `# Deploy\n\nThe capybara service is deployed with ${SECRET} every night.\n`)
  await update()
  const [snippet] = await snippets('capybara service')
  expect(snippet).toContain('The capybara service is deployed with')
  expect(snippet).not.toContain(SECRET)
  expect((await memory.read(path, { within: undefined }))!.text).not.toContain(SECRET)
})

test('nor one that was written into the file after it was indexed', async () => {
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

test('a note gives the file and the line of its heading', async () => {
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
