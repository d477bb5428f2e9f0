import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'

let place: string
let ken: Ken
let notes: string

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-notes-')))
  notes = join(place, 'home', 'memory')
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  for (const folder of ['shop/.git', 'shop/src/deep', 'office/.git', 'plain'])
    mkdirSync(join(place, folder), { recursive: true })
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_UPKEEP: '0', KEN_EMBEDDINGS: '0' }, () => {})
})
afterEach(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

// The answers are JSON.
type Found = Record<string, any>
const run = async (name: string, input: Record<string, unknown>, folder = 'shop'): Promise<Found> => {
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: join(place, folder) })
  return (
    await call(
      ctx,
      OPERATIONS.find((one) => one.name === name)!,
      input,
    )
  ).output
}
const search = async (query: string, more: Record<string, unknown> = {}, folder = 'shop'): Promise<Found[]> =>
  (await run('memory_search', { query, ...more }, folder))['results']
const update = () => run('memory_update', { embed: false })
const titles = (found: Found[]) => found.map(({ title }) => title)

test('every fact is a separate hit, with its own id, title, tags and date', async () => {
  for (let i = 0; i < 12; i++)
    await run('memory_write', { content: `Fact ${i}: the wombat sleeps.`, target: 'memory', tags: [`tag${i}`, 'all'] })
  const found = await search('wombat', { limit: 20 })
  expect(found).toHaveLength(12)
  expect(new Set(found.map(({ id }) => id)).size).toBe(12)
  expect(titles(found)).toContain('Fact 7: the wombat sleeps.')
  expect((await search('wombat', { tags: ['tag7'] })).map(({ title, tags }) => [title, tags])).toEqual([
    ['Fact 7: the wombat sleeps.', ['tag7', 'all']],
  ])
  expect(await search('wombat', { tags: ['tag7', 'tag8'] })).toEqual([])
})

test('a hand-edited file keeps its notes separate, each with its own day and tags', async () => {
  writeFileSync(
    join(notes, 'MEMORY.md'),
    [
      'The wombat above everything.',
      '',
      '# Deploying the wombat',
      'Tags: [ops, "release"]',
      'On Mondays.',
      '## 2024-03-01 Feeding the wombat',
      '',
      '- tags are not set here',
      '```',
      '## 2024-04-01T00:00:00Z in code is no heading',
      'tags: code',
      '```',
      '## 2024-05-02T10:00:00.000Z\r',
      '\r',
      'tags: night\r',
      'The wombat wakes.\r',
    ].join('\n'),
  )
  await update()
  const found = await search('wombat', { limit: 20 })
  expect(found.map(({ title, tags, modified }) => [title, tags.join(), modified.slice(0, 4)]).sort()).toEqual(
    [
      ['Deploying the wombat', 'ops,release', '2026'],
      ['Feeding the wombat', '', '2024'],
      ['The wombat above everything.', '', '2026'],
      ['The wombat wakes.', 'night', '2024'],
    ].map(([title, tags, year]) => [title, tags, year === '2026' ? String(new Date().getFullYear()) : year]),
  )
  expect(titles(await search('wombat', { since: '2024-05-01', until: '2024-05-31' }))).toEqual(['The wombat wakes.'])
})

test('an unclosed fence does not swallow the notes that follow', async () => {
  await run('memory_write', { content: 'Run:\n```sh\nmake wombat', target: 'memory' })
  await run('memory_write', { content: 'The wombat is made.', target: 'memory', tags: ['made'] })
  expect(titles(await search('wombat', { tags: ['made'] }))).toEqual(['The wombat is made.'])
})

test('an edit in the middle of a file is noticed, and every other note stays unchanged', async () => {
  for (const word of ['first', 'second', 'third'])
    await run('memory_write', { content: `The ${word} quokka.`, target: 'memory' })
  const before = await search('quokka')
  const path = join(notes, 'MEMORY.md')
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('The second quokka.', 'The second quokka.\n\nIt eats figs,\nmany of them.'),
  )
  await update()
  const [edited] = await search('figs')
  expect(edited).toMatchObject({
    title: 'The second quokka.',
    id: before.find(({ title }) => title === 'The second quokka.')!.id,
  })
  const [third] = await search('third quokka')
  expect(third!.id).toBe(before.find(({ title }) => title === 'The third quokka.')!.id)
  const shown = await run('memory_get', { id: `${third!.path}:${third!.start_line}-${third!.end_line}` })
  expect(shown['text']).toContain('The third quokka.')
  expect(await run('memory_status', {})).toMatchObject({ by_origin: { note: 3 } })
  writeFileSync(path, readFileSync(path, 'utf8').replace(/## [^#]*third quokka\.\n/, ''))
  await update()
  expect(titles(await search('quokka')).sort()).toEqual(['The first quokka.', 'The second quokka.'])
})

test('a note is read by its id, and reports which lines are above and below', async () => {
  for (const word of ['one', 'two', 'three'])
    await run('memory_write', { content: `Number ${word}.`, target: 'memory' })
  const [two] = await search('number two')
  const read = await run('memory_get', { id: two!.id })
  expect(read).toMatchObject({ start_line: two!.start_line, total_lines: 15 })
  expect(read['text']).toMatch(/^## .*\n\nscope: .*\nNumber two\.\n$/)
  expect((await run('memory_get', { id: read['before'] }))['text']).toContain('Number one.')
  const after = await run('memory_get', { id: read['after'] })
  expect(after['text']).toContain('Number three.')
  expect(after['after']).toBeUndefined()
})

test('a note belongs to the project in which it was written: to all its folders, and to no other project', async () => {
  await run('init', { name: 'Shop' })
  await run('memory_write', { content: 'The tills open at nine.' }, 'shop/src/deep')
  await run('memory_write', { content: 'Tills are never left open.', scope: 'global' })
  await run('memory_write', { content: 'The office has no tills.' }, 'office')
  expect(titles(await search('tills', {}, 'shop'))).toHaveLength(2)
  expect(titles(await search('tills', {}, 'shop/src/deep'))).toContain('The tills open at nine.')
  expect(titles(await search('tills', {}, 'office')).sort()).toEqual([
    'The office has no tills.',
    'Tills are never left open.',
  ])
  expect(titles(await search('tills', {}, 'plain'))).toEqual(['Tills are never left open.'])
  expect(titles(await search('tills', { workspace: 'Shop' }, 'office'))).toContain('The tills open at nine.')
})

test('in a search everywhere, a note from another project names that project and is never strong', async () => {
  await run('init', { name: 'Shop' })
  await run('memory_write', { content: 'The tills open at nine.' })
  await run('memory_write', { content: 'The tills of the office open at ten.' }, 'office')
  const verdicts = async (folder: string) =>
    Object.fromEntries(
      (await search('tills open', { workspace: 'all', origin: ['note'] }, folder)).map(
        ({ title, verdict, belongs_to: of }) => [title, [verdict, of]],
      ),
    )
  expect(await verdicts('shop')).toEqual({
    'The tills open at nine.': ['strong', undefined],
    'The tills of the office open at ten.': ['related', 'another project'],
  })
  expect((await verdicts('office'))['The tills open at nine.']).toEqual(['related', 'Shop'])
})

test('older notes belong to all projects, and a line that only looks like a scope is text', async () => {
  writeFileSync(
    join(notes, 'MEMORY.md'),
    '\n## 2025-01-01T00:00:00.000Z\n\nscope: the payment service\nTills are old.\n\n## 2025-01-02T00:00:00.000Z\n\nTills are older.\nscope: /somewhere/else\n',
  )
  await update()
  expect(await search('tills', {}, 'office')).toHaveLength(2)
  expect(titles(await search('payment service', {}, 'office'))).toEqual(['scope: the payment service'])
})

test('reading the whole file does not show the notes of other projects either', async () => {
  await run('memory_write', { content: 'The shop has tills.', target: 'memory' })
  await run('memory_write', { content: 'The office has a secret drawer.', target: 'memory' }, 'office')
  const whole = await run('memory_get', { id: 'memory/MEMORY.md' })
  expect(whole['text']).toContain('The shop has tills.')
  expect(whole['text']).not.toContain('secret drawer')
  expect(whole['text'].split('\n')).toHaveLength(whole['total_lines'] + 1)
  expect((await run('memory_get', { id: 'memory/MEMORY.md', workspace: 'all' }))['text']).toContain('secret drawer')
  const [hit] = await search('secret drawer', {}, 'office')
  await expect(run('memory_get', { id: hit!.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('one note is forgotten by the id of its hit', async () => {
  await run('memory_write', { content: 'Bruno is the printer.', target: 'memory' })
  await run('memory_write', { content: 'Bruno is the dog.', target: 'memory' })
  const [dog] = await search('dog')
  expect(await run('forget', { what: dog!.id, yes: true })).toMatchObject({
    by: 'id',
    matches: [{ kind: 'note' }],
    proof: { left: [] },
  })
  expect(titles(await search('bruno'))).toEqual(['Bruno is the printer.'])
})
