import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { daysAgo, openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

// The answers are JSON.
type Found = Record<string, any>
const titles = (answer: Found): string[] => answer['results'].map(({ title }: Found) => title)
const counts = (facet: { value: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(facet.map(({ value, count }) => [value, count]))

async function sixThings(): Promise<void> {
  for (let day = 1; day <= 4; day++)
    speak(desk.home, {
      id: `0000000${day}-a`,
      at: daysAgo(day * 6),
      title: `Wombat ${day}`,
      said: [['Where does the wombat sleep?', `In burrow ${day}.`]],
    })
  await desk.run('harvest')
  await desk.run('memory_write', { content: 'The wombat is fed at noon.', tags: ['zoo'], scope: 'global' })
  await desk.run('memory_write', { content: 'The badger digs.', tags: ['zoo', 'night'], scope: 'global' })
}

test('an answer can be read page by page to its end, every hit once, in search order', async () => {
  await sixThings()
  const whole = await desk.run('memory_query', { query: 'wombat', workspace: 'all', limit: 100 })
  const read: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: Found = await desk.run('memory_browse', { query: 'wombat', workspace: 'all', limit: 2, offset })
    read.push(...titles(page))
    offset = page['next_offset']
  }
  expect(read).toEqual(titles(whole))
  expect(read).toHaveLength(5)
  expect((await desk.run('memory_browse', { query: 'wombat', workspace: 'all', offset: 50 }))['results']).toEqual([])
})

test('returns the newest first, with their beginning, if there is no query', async () => {
  await sixThings()
  const answer = await desk.run('memory_browse', { workspace: 'all', origin: ['session'] })
  expect(titles(answer)).toEqual(['Wombat 1', 'Wombat 2', 'Wombat 3', 'Wombat 4'])
  expect(answer['results'][0].snippet).toContain('Where does the wombat sleep?')
  expect(titles(await desk.run('memory_browse', { workspace: 'all', tags: ['night'] }))).toEqual(['The badger digs.'])
})

test('an answer is narrowed by trust', async () => {
  await sixThings()
  mkdirSync(join(desk.home, 'papers'))
  writeFileSync(join(desk.home, 'papers/wombat.md'), '# A paper\n\nThe wombat, by a stranger.\n')
  await desk.run('collection_add', { name: 'papers', path: join(desk.home, 'papers') })
  const of = async (trust: string) =>
    titles(await desk.run('memory_browse', { query: 'wombat', workspace: 'all', trust: [trust] }))
  expect(await of('untrusted')).toEqual(['A paper'])
  expect(await of('learned')).toHaveLength(5)
  expect(await of('approved')).toEqual([])
})

test('facets count the results of each value, whatever else is selected', async () => {
  await sixThings()
  const all = await desk.run('memory_facets', { query: 'wombat', workspace: 'all' })
  expect(counts(all['origin'])).toEqual({ session: 4, note: 1 })
  expect(counts(all['tags'])).toMatchObject({ zoo: 1 })
  expect(counts(all['since'])).toEqual({ '1d': 1, '7d': 2, '30d': 5, '365d': 5 })
  expect([all['counted'], all['cut']]).toEqual([5, false])
  const sessions = await desk.run('memory_facets', { query: 'wombat', workspace: 'all', origin: ['session'] })
  expect(counts(sessions['origin'])).toEqual({ session: 4, note: 1 })
  expect(counts(sessions['tags'])).not.toHaveProperty('zoo')
  expect(sessions['counted']).toBe(4)
  const here = await desk.run('memory_facets', {})
  expect(counts(here['origin'])).toEqual({ note: 2 })
  expect(here['workspace'].map(({ name, count }: Found) => [name, count])).toContainEqual(['Everywhere', 2])
})

test('a session is read by turns from a line on, with match positions and its length', async () => {
  speak(desk.home, {
    id: 'cccccccc-1',
    at: daysAgo(1),
    said: Array.from(
      { length: 300 },
      (_, i) => [`Question ${i}${i === 250 ? ' of the quagga' : ''}`, `Answer ${i}\n\nand more.`] as const,
    ),
  })
  await desk.run('harvest')
  const first = await desk.run('session_show', { id: 'last', workspace: 'all', count: 2, find: 'quaggas' })
  expect(first).toMatchObject({ total: 600, at: 1, client: 'claude-code', session: 'cccccccc-1', hits: [501] })
  expect(first['turns'].map(({ number, role }: Found) => [number, role])).toEqual([
    [1, 'user'],
    [2, 'assistant'],
  ])
  const [hit] = (await desk.run('memory_query', { query: 'quagga', workspace: 'all' }))['results']
  const there = await desk.run('session_show', { id: `${hit.id}:${hit.end_line}`, workspace: 'all', count: 5 })
  expect(there['turns'][0].number).toBe(there['at'])
  expect(Math.abs(there['at'] - 501)).toBeLessThan(20)
  const [turn] = (await desk.run('session_show', { id: hit.path, workspace: 'all', from: 501, count: 1 }))['turns']
  const line = readFileSync(hit.path, 'utf8').split('\n')[turn.line - 1]
  expect([turn.text, line]).toEqual(['Question 250 of the quagga', '## User'])
  expect((await desk.run('session_show', { id: 'cccccccc-1', workspace: 'all', from: 601 }))['turns']).toEqual([])
})

test('a pasted log is shortened unless all of it is requested, and no secret is cut in half', async () => {
  const key = ['ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'].join('')
  speak(desk.home, { id: 'dddddddd-1', at: daysAgo(1), said: [['x'.repeat(20_000), 'Long.']] })
  await desk.run('harvest')
  const [path] = Object.keys(desk.sessions())
  const file = join(desk.kenHome, 'sessions', path!)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('x'.repeat(20_000), `${'x '.repeat(3_990)}${key} ${'y'.repeat(9_000)}`),
  )
  const read = async (whole: boolean) =>
    (await desk.run('session_show', { id: 'dddddddd-1', workspace: 'all', count: 1, whole }))['turns'][0]
  const cut = await read(false)
  expect(cut.text).toHaveLength(8_000)
  expect(cut.cut).toBeGreaterThan(5_000)
  const whole = await read(true)
  expect(whole.cut).toBeUndefined()
  expect(cut.text + whole.text).not.toContain('ghp_')
})

test('other documents, or sessions from elsewhere, are not read as a session', async () => {
  await sixThings()
  const [note] = (await desk.run('memory_query', { query: 'badger', workspace: 'all' }))['results']
  for (const id of [note.id, 'nothing', '../../etc/passwd', 'last'])
    await expect(desk.run('session_show', { id })).rejects.toMatchObject({ code: 'not_found' })
})
