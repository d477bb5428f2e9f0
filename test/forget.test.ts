import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { filesBelow, openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
const openDesk = (...fixtures: string[]): UpkeepDesk => (desk = openUpkeepDesk(...fixtures))
afterEach(() => desk.close())

const holding = (text: string): string[] =>
  filesBelow(desk.kenHome).filter((path) =>
    readFileSync(join(desk.kenHome, path)).toString('latin1').toLowerCase().includes(text),
  )
const ids = (): string[] =>
  Object.values(desk.sessions())
    .map(({ session }) => session)
    .sort()
const at = '2026-05-01T10:00:00Z'

async function threeSessions(): Promise<void> {
  openDesk()
  speak(desk.home, {
    id: 'aaaaaaaa-1',
    at,
    title: 'Quagga rollout',
    said: [['When does Project Quagga start?', 'Quaggamire begins in March, says the steering committee.']],
  })
  speak(desk.home, { id: 'aaaaaaaa-2', at, said: [['When does the release start?', 'In March, says the committee.']] })
  speak(desk.home, { id: 'bbbbbbbb-3', at, said: [['March?', 'The project of the quagga is not here.']] })
  await desk.run('harvest')
}

test('lists the matches and removes nothing without --yes', async () => {
  await threeSessions()
  for (const input of [{ what: 'project quagga' }, { what: 'project quagga', yes: true, dry_run: true }]) {
    expect(await desk.run('forget', input)).toMatchObject({
      by: 'phrase',
      removed: false,
      matches: [{ kind: 'session', session: 'aaaaaaaa-1', title: 'Quagga rollout' }],
    })
  }
  expect(ids()).toHaveLength(3)
})

test('forgotten text is in no file, no index byte, no search and no later harvest', async () => {
  await threeSessions()
  expect(holding('quaggamir')).toContainEqual(expect.stringMatching(/^index\.db/))
  const [folder] = Object.keys(desk.sessions())[0]!.split('/')
  writeFileSync(
    join(desk.kenHome, 'sessions', folder!, '.2026-05-01-x.md.0123456789abcdef.tmp'),
    'Quaggamire begins in March, says the steering committee.',
  )
  const { proof, removed } = await desk.run('forget', { what: 'Project  QUAGGA', yes: true })
  expect(removed).toBe(true)
  expect(proof.looked_for).toContain('quaggamir')
  expect(proof.looked_for).toContain('Quaggamire begins in March, says the steering committee.')
  expect(proof.left).toEqual([])
  expect([...holding('quaggamir'), ...holding('rollout'), ...holding('steering')]).toEqual([])
  for (const input of [{}, { again: true }]) await desk.run('harvest', input)
  speak(desk.home, { id: 'aaaaaaaa-1', at: '2026-06-01T10:00:00Z', said: [['Quaggamire again?', 'Yes.']] })
  await desk.run('harvest')
  expect(ids()).toEqual(['aaaaaaaa-2', 'bbbbbbbb-3'])
  expect(holding('quaggamir')).toEqual([])
  expect((await desk.run('memory_search', { query: 'quaggamire', workspace: 'all' }))['results']).toEqual([])
})

test('matches of the separate words are shown if the phrase is not found, but never removed', async () => {
  await threeSessions()
  expect(await desk.run('forget', { what: 'committee march', yes: true })).toMatchObject({
    by: 'words',
    removed: false,
    matches: [{ session: 'aaaaaaaa-1' }, { session: 'aaaaaaaa-2' }],
  })
  expect(ids()).toHaveLength(3)
  await expect(desk.run('forget', { what: 'in', yes: true })).rejects.toMatchObject({ code: 'not_found' })
  await expect(desk.run('forget', { what: 'committee april' })).rejects.toMatchObject({ code: 'not_found' })
})

test('an id, an id prefix, a file id and a path all name a session; an ambiguous prefix does not', async () => {
  await threeSessions()
  const path = Object.keys(desk.sessions()).find((each) => each.includes('quagga-rollout'))!
  const fileId = /([0-9a-f]{12})\.md$/.exec(path)![1]!
  for (const [what, by] of [
    ['bbbbbbbb', 'id'],
    ['aaaaaaaa-1', 'id'],
    [fileId, 'id'],
    [join(desk.kenHome, 'sessions', path), 'path'],
    [path, 'path'],
  ]) {
    const found = await desk.run('forget', { what })
    expect({ what, by: found['by'], matches: found['matches'].length }).toEqual({ what, by, matches: 1 })
  }
  await expect(desk.run('forget', { what: 'aaaaaaaa' })).rejects.toMatchObject({ code: 'not_found' })
})

test('a sub-agent is forgotten with the session that started it', async () => {
  openDesk('claude-code')
  await desk.run('harvest')
  const agent = Object.values(desk.sessions()).find(({ kind }) => kind === 'subagent')!
  const { matches } = await desk.run('forget', { what: agent.parent!, yes: true })
  expect(matches.map(({ session }: { session: string }) => session).sort()).toEqual(
    [agent.parent, agent.session].sort(),
  )
  expect(ids()).not.toContain(agent.session)
})

test('one note is removed and the other notes in its file stay unchanged byte for byte', async () => {
  openDesk()
  for (const content of ['The build needs Node 24.', 'Bruno is the printer.', 'Deploy on Mondays.'])
    await desk.run('memory_write', { content, target: 'memory' })
  const path = join(desk.kenHome, 'memory', 'MEMORY.md')
  const before = readFileSync(path, 'utf8')
  const { proof } = await desk.run('forget', { what: 'bruno', yes: true })
  expect(proof).toMatchObject({ left: [], looked_for: expect.arrayContaining(['printer']) })
  const after = readFileSync(path, 'utf8')
  expect(after.length).toBeLessThan(before.length)
  expect(before).toContain(after.slice(after.indexOf('Deploy')))
  expect(after).toContain('The build needs Node 24.')
  expect(holding('bruno')).toEqual([])
  await desk.run('forget', { what: 'memory/MEMORY.md', yes: true })
  expect(existsSync(path)).toBe(false)
})

test('neither the record nor a user file is forgotten this way', async () => {
  openDesk()
  await desk.run('init', { name: 'shop', demo: true })
  await desk.run('memory_write', { content: 'A note.', target: 'memory' })
  const { location } = (await desk.context().projects.list())[0]!
  const decision = join(
    location,
    filesBelow(location).find((path) => path.startsWith('decisions/'))!,
  )
  const own = join(desk.home, 'diary.md')
  writeFileSync(own, 'mine')
  for (const [what, message] of [
    ['D1', /superseded/],
    [decision, /superseded/],
    [own, /Delete the file yourself/],
    ['memory/../config.yml', /Delete the file yourself/],
  ] as const) {
    await expect(desk.run('forget', { what, yes: true })).rejects.toMatchObject({
      code: 'forbidden',
      hint: expect.stringMatching(message),
    })
  }
  expect(existsSync(decision) && existsSync(own)).toBe(true)
})
