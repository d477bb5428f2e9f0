import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import type { Origin } from '../src/kernel/domain/origin.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'

const PERSON: Origin = { surface: 'cli' }
const AGENT: Origin = { surface: 'mcp-stdio', client: 'codex' }
let place: string
let ken: Ken

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-news-')))
  for (const name of ['home', 'shop', 'nowhere']) mkdirSync(join(place, name))
  const home = join(place, 'home')
  ken = openKen({ HOME: home, KEN_HOME: join(home, '.ken'), KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' }, () => {})
})
afterAll(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!
const run = async (name: string, input: object = {}, origin = PERSON, folder = 'shop'): Promise<any> =>
  (await call(ken.context({ origin, cwd: join(place, folder) }), operation(name), input)).output

test('news lists changes to the record, newest first, with their author', async () => {
  await run('init', { name: 'shop' })
  await run('propose_decision', { title: 'Use Postgres alone', rationale: 'Two people can run one database well.' })
  await run('flag_question', { question: 'Do we ship abroad?' })
  const { decision_id: second } = await run(
    'propose_decision',
    { title: 'Ship to two countries', rationale: 'The post offers both at one price.', resolves_questions: ['Q1'] },
    AGENT,
  )
  await run('accept', { decisions: [second] })
  const { news, total, counts } = await run('news', { since: '1h' })
  expect(news.map((one: any) => [one.kind, one.did, one.ref, one.by, one.more].filter(Boolean).join(' '))).toEqual([
    'decision accepted D003',
    'decision recorded D003 codex',
    'question resolved Q1 codex by D003',
    'question asked Q1',
    'decision recorded D002',
    'record started',
  ])
  expect(total).toBe(6)
  expect(counts).toEqual({ decision: 3, question: 2, record: 1 })
  expect(news[1]).toMatchObject({ title: 'Ship to two countries', is_agent: true, trust: 'approved' })
  expect(news[4]).toMatchObject({ title: 'Use Postgres alone', is_agent: false, by: '' })
})

test('news filters by time and kind, and reports how much more there is', async () => {
  expect((await run('news', { since: '1h', kind: ['question'], limit: 1 })).news).toHaveLength(1)
  expect((await run('news', { since: '1h', kind: ['question'], limit: 1 })).total).toBe(2)
  const later = new Date(Date.now() + 60_000).toISOString()
  const none = await call(ken.context({ origin: PERSON, cwd: join(place, 'shop') }), operation('news'), {
    since: later,
  })
  expect(none.output['total']).toBe(0)
  expect(answerText(operation('news'), none, 'pipe')).toMatch(/^Nothing happened since \d{4}-\d\d-\d\d\.$/)
  await expect(run('news', { since: 'soonish' })).rejects.toThrow('"soonish" is not a time')
})

test('overview counts the contents, even if there are none', async () => {
  expect(await run('overview')).toEqual({
    record: { name: 'shop', from_clone: false, decisions: 3, proposals: 0, questions: 0, conflicts: 0 },
    inbox: 0,
    chats: 0,
    sessions: 0,
  })
  await run('propose_decision', { title: 'Pack on Fridays', rationale: 'Vans leave on Saturday morning.' }, AGENT)
  await run('flag_question', { question: 'Who packs in August?' })
  expect((await run('overview')).record).toMatchObject({ decisions: 4, proposals: 1, questions: 1 })
  expect(await run('overview', {}, PERSON, 'nowhere')).toEqual({ inbox: 0, chats: 0, sessions: 0 })
  expect((await run('news', {}, PERSON, 'nowhere')).news).toEqual([])
})
