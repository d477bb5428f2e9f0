import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../src/kernel/domain/errors.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { daysAgo, openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

const TOOL = 'mcp__ken__memory_query'

interface Found {
  readonly titles: string[]
  readonly notes: string[]
}

async function query(text: string, input: object = {}): Promise<Found> {
  const operation = OPERATIONS.find(({ name }) => name === 'memory_query')!
  const { output } = await call(desk.context(), operation, { query: text, workspace: 'all', ...input })
  return {
    titles: (output['results'] as { title: string }[]).map(({ title }) => title),
    notes: output['notes'] as string[],
  }
}

const at = (day: number, hour = 12): string =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - day * 86_400_000 + hour * 3_600_000).toISOString()

const WHEN = { GIT_AUTHOR_DATE: at(3), GIT_COMMITTER_DATE: at(3) }

test('a question finds the session with the answer, not the sessions that asked or are asking it', async () => {
  const question = 'why did the invoice export time out in staging'
  speak(desk.home, {
    id: 'answered',
    title: 'Answered',
    at: daysAgo(3),
    said: [
      [
        'The invoice export timed out in staging.',
        'The invoice export timed out because the proxy in staging closes after 30 s.',
      ],
    ],
  })
  speak(desk.home, {
    id: 'asked',
    title: 'Asked',
    at: daysAgo(1),
    said: [['Look at the billing page.', 'I look for what is known.']],
    calls: { tool: TOOL, input: { query: question }, answer: 'Nothing found.' },
  })
  speak(desk.home, {
    id: 'asking',
    title: 'Asking',
    at: new Date().toISOString(),
    said: [[question, '']],
    calls: { tool: TOOL, input: { query: question } },
  })
  await desk.run('harvest')
  expect((await query(question)).titles).toEqual(['Answered'])
}, 60_000)

test('a session that was interrupted while it asked is found again later', async () => {
  speak(desk.home, {
    id: 'interrupted',
    title: 'Interrupted',
    at: daysAgo(1),
    said: [['Which proxy closes after 30 s?', '']],
    calls: { tool: TOOL, input: { query: 'proxy' } },
  })
  await desk.run('harvest')
  expect((await query('which proxy closes')).titles).toEqual(['Interrupted'])
}, 60_000)

test('a release in the question is read from the tags of the repository', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: desk.home, env: { ...process.env, ...WHEN } })
  git('init', '--quiet')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--allow-empty', '-m', 'Release')
  git('tag', 'v1.2.0')
  for (const [day, title] of [
    [5, 'Before it'],
    [1, 'After it'],
  ] as const)
    speak(desk.home, { id: title, title, at: at(day), said: [[`Fix the export, ${title}.`, 'The export was fixed.']] })
  await desk.run('harvest')
  const found = await query('what did we fix in the export before the release')
  expect(found.titles).toEqual(['Before it'])
  expect(found.notes.join()).toMatch(/Read as before v1\.2\.0 \(\d{1,2} \w+ \d{4}\): only that time was searched\./)
  expect((await query('what did we fix in the export since v1.2.0')).titles).toEqual(['After it'])

  const tooSlow = () => Promise.reject(new AppError('unavailable', 'git took too long here.'))
  const operation = OPERATIONS.find(({ name }) => name === 'memory_query')!
  const input = { query: 'what did we fix in the export before the release', workspace: 'all' }
  const { output } = await call({ ...desk.context(), repository: tooSlow }, operation, input)
  expect(output['results']).not.toEqual([])
})

test('a time in the question narrows the answer, which states how the time was read', async () => {
  for (const [day, title] of [
    [1, 'Yesterday'],
    [2, 'Before'],
    [40, 'Long ago'],
  ] as const)
    speak(desk.home, {
      id: title,
      title,
      at: at(day),
      said: [[`Fix the export on ${title}.`, 'The export failed and was fixed.']],
    })
  await desk.run('harvest')

  const yesterday = await query('what failed in the export yesterday')
  expect(yesterday.titles).toEqual(['Yesterday'])
  expect(yesterday.notes.join()).toMatch(/Read as \d{1,2} \w+ \d{4}: only that time was searched\./)
  expect((await query('what failed in the export yesterday', { since: at(60), min_score: 0 })).titles).toHaveLength(3)
  expect((await query('what did we do two days ago')).titles).toEqual(['Before'])
  expect((await query('what did we do last', { limit: 1 })).titles).toEqual(['Yesterday'])
  expect((await query('what did we do first', { limit: 1 })).titles).toEqual(['Long ago'])
  expect((await query('which export did we fix last', { limit: 1 })).titles).toEqual(['Yesterday'])

  const nothing = await query('what failed in the export 10 days ago')
  expect(nothing.titles).toHaveLength(3)
  expect(nothing.notes.join()).toMatch(/Nothing here is of .*; the nearest found is of \d{4}-\d\d-\d\d\./)
}, 60_000)

test('a session and its forks are one hit that names the others', async () => {
  const said: [string, string][] = [
    ['Why does the invoice export time out?', 'The pool of the export has only two connections.'],
    ['Raise it to ten.', 'The pool has ten connections now, and the export ends in time.'],
  ]
  speak(desk.home, { id: 'first', title: 'First', at: daysAgo(3), said })
  speak(desk.home, { id: 'forked', title: 'Forked', at: daysAgo(2), said })
  speak(desk.home, {
    id: 'other',
    title: 'Other',
    at: daysAgo(1),
    said: [['Why does the invoice export time out again?', 'The proxy closes idle connections after 30 s.']],
  })
  await desk.run('harvest')
  const operation = OPERATIONS.find(({ name }) => name === 'memory_query')!
  const { output } = await call(desk.context(), operation, { query: 'invoice export time out', workspace: 'all' })
  const results = output['results'] as { title: string; repeats?: string[] }[]
  expect(results.map(({ title }) => title).toSorted()).toEqual([expect.stringMatching(/^F/), 'Other'])
  const folded = results.find(({ title }) => title !== 'Other')!
  expect(folded.repeats).toHaveLength(1)
  const get = OPERATIONS.find(({ name }) => name === 'memory_get')!
  const { output: read } = await call(desk.context(), get, { id: folded.repeats![0]!, workspace: 'all' })
  expect(JSON.stringify(read)).toContain('ten connections now')
}, 60_000)
