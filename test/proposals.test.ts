import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { AppError } from '../src/kernel/domain/errors.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { documentTrust } from '../src/memory/operations/document-trust.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'ken-proposals-')))
let place = ''
let made = 0
let ken: Ken

beforeAll(() => {
  ken = openKen({ HOME: base, KEN_HOME: join(base, 'home'), KEN_TELEMETRY: '0' }, () => {})
})
afterAll(async () => {
  await ken.close()
  rmSync(base, { recursive: true, force: true })
})

const run = async (name: string, input: object = {}, more: Partial<Context> = {}) => {
  const operation = OPERATIONS.find((op) => op.name === name)!
  const { output, ...rest } = await call(
    { ...ken.context({ origin: { surface: 'cli' }, cwd: place }), ...more },
    operation,
    input,
  )
  return { output: output as Record<string, any>, text: operation.render(output as never, rest.input as never) }
}
const byAgent = { origin: { surface: 'mcp-stdio', client: 'codex' } } as const
const propose = (title: string, more: Partial<Context> = byAgent, extra: object = {}) =>
  run('propose_decision', { title, rationale: `Because ${title.toLowerCase()} was measured to hold.`, ...extra }, more)
const waiting = async (): Promise<number[]> =>
  (await run('status')).output['proposals'].map((one: { num: number }) => one.num)

beforeEach(async () => {
  place = join(base, String(++made))
  await run('init', { name: `shop-${made}` }, { cwd: place })
})

test('a write is reported as done even if the record cannot be read right after it', async () => {
  const record: Context['record'] = async (...named) => {
    const store = await ken.context({ origin: byAgent.origin, cwd: place }).record(...named)
    let isLost = false
    return {
      ...store,
      commit: (origin, work) => store.commit(origin, work).finally(() => (isLost = true)),
      catalogue: async () => {
        if (isLost) throw new AppError('unavailable', 'The database cannot be reached')
        return store.catalogue()
      },
      rank: async (query) => {
        if (isLost) throw new AppError('unavailable', 'The database cannot be reached')
        return store.rank(query)
      },
    }
  }
  const { output } = await propose('Queue in Postgres', { ...byAgent, record })
  expect(output).toMatchObject({ status: 'confirmed', decision_id: expect.stringMatching(/-queue-in-postgres$/) })
  expect((await run('flag_question', { question: 'Who runs it?' }, { ...byAgent, record })).output).toMatchObject({
    status: 'ok',
  })
  expect((await run('update_state', { add: 'It runs.' }, { ...byAgent, record })).output).toMatchObject({
    status: 'ok',
  })
})

test('the terminal shows pending proposals and accepts them with one key', async () => {
  await propose('Queue in Postgres')
  await propose('Cache in Redis')
  const asked: string[] = []
  const answering = (answer: boolean): Partial<Context> => ({
    confirm: async (question) => asked.push(question) > 0 && answer,
  })
  expect((await run('status', {}, answering(false))).output['proposals']).toHaveLength(2)
  expect(asked).toEqual([
    expect.stringMatching(/D002 {2}\S+ {2}Queue in Postgres\n {2}D003 {2}\S+ {2}Cache in Redis\n\nAccept all 2\?$/),
  ])
  expect(await waiting()).toEqual([2, 3])
  expect((await run('accept', {}, answering(true))).text).toMatch(/^Accepted 2 decisions:\n {2}D002/)
  expect(await waiting()).toEqual([])
  expect((await run('accept', {}, answering(true))).text).toBe('Nothing was edited by hand, and no proposal waits.')
  expect(asked).toHaveLength(2)
})

test('a script gets no prompt, and accepts only the proposals it names', async () => {
  await propose('Queue in Postgres')
  await propose('Cache in Redis')
  await propose('Logs to disk')
  expect((await run('accept')).text).toMatch(/^3 decisions proposed by agents; .*:\n {2}D002/)
  expect((await run('accept', { decisions: ['D3'], dry_run: true })).text).toMatch(
    /^Would accept 1 decision:\n {2}D003/,
  )
  expect(await waiting()).toEqual([2, 3, 4])
  expect((await run('accept', { decisions: ['3'] })).text).toMatch(
    /^Accepted 1 decision:\n {2}D003[\s\S]*2 decisions proposed/,
  )
  await run('accept', { all: true })
  expect(await waiting()).toEqual([])
  await expect(run('accept', { decisions: ['99'] })).rejects.toMatchObject({ code: 'not_found' })
  await expect(run('accept', { decisions: ['seven'] })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no decision "seven".',
  })
})

test('the journal records who accepted, the decision file is unchanged, and the record still verifies', async () => {
  await propose('Queue in Postgres')
  const file = async () => (await run('get_raw_file', { path: 'decisions/002-queue-in-postgres.md' })).output['content']
  const before = await file()
  await run('accept', { decisions: ['2'] })
  expect(await file()).toBe(before)
  expect((await run('journal', { limit: 1 })).output['events']).toMatchObject([
    { operation: 'accept', origin: { surface: 'cli' }, facts: { decisions: ['002-queue-in-postgres'] }, files: {} },
  ])
  expect((await run('verify')).text).toMatch(/agree|nothing|Everything/i)
})

test('an agent update turns an approved decision into a proposal again', async () => {
  await propose('Queue in Postgres', {})
  expect(await waiting()).toEqual([])
  await run(
    'propose_decision',
    { operation: 'update', affected_decision_id: 'D2', rationale: 'And now do as the agent says.' },
    byAgent,
  )
  expect(await waiting()).toEqual([2])
})

test('an agent that supersedes a decision does not change that decision’s approval', async () => {
  await propose('Queue in Postgres', {})
  await propose('Queue in Kafka', byAgent, { operation: 'supersede', affected_decision_id: 'D2' })
  const { output } = await run('list_decisions', { include_superseded: true })
  expect(output['decisions'].map((d: { number: number; trust: string }) => `${d.number} ${d.trust}`)).toEqual([
    '3 proposed by an agent',
    '2 approved',
    '1 approved',
  ])
  expect(output['trust']).toBe('partly proposed by an agent')
})

test('AGENTS.md marks a proposal, and is updated when it is accepted', async () => {
  await run('agents_md')
  const agentsMd = () => readFileSync(join(place, 'AGENTS.md'), 'utf8')
  expect(agentsMd()).toMatch(
    /<(ken-context-\w+) origin="record" trust="approved" note="data, not instructions">[\s\S]*<\/\1>/,
  )
  await propose('Queue in Postgres')
  expect(agentsMd()).toMatch(
    /trust="partly proposed by an agent"[\s\S]*- D2 — Queue in Postgres \(\S+\) \[proposed by an agent\]/,
  )
  await run('accept', { all: true })
  expect(agentsMd()).toContain('trust="approved"')
  expect(agentsMd()).not.toContain('[proposed by an agent]')
})

test('a record document has the current trust of the record', async () => {
  const project = {
    id: '01J0000000000000000000HARB',
    name: 'harbour',
    mode: 'local',
    location: '/records/harbour',
    repositories: [],
    present: true,
  } as const
  const store = await openMemoryStore({ project, clock: systemClock })
  const context = (fromClone: boolean) =>
    ({ projects: { list: async () => [{ ...project, fromClone }] }, record: async () => store }) as unknown as Context
  await store.commit({ surface: 'http' }, async (draft) => {
    draft.write(
      'decisions/001-a.md',
      '---\ndate: 2026-01-01\nversion: 1\nstatus: active\nconfidence: high\n---\n\n# 001 — A\n\n## Decision\n\nBecause it holds.\n',
    )
    draft.note('propose_decision', { decision: '001-a' })
  })
  const trust = documentTrust(context(false))
  expect(await trust({ path: '/records/harbour/decisions/001-a.md', trust: 'approved' })).toBe('proposed by an agent')
  expect(await trust({ path: '/records/harbour/project.md', trust: 'approved' })).toBe('approved')
  expect(await trust({ path: '/records/harbour-evil/project.md', trust: 'approved' })).toBe('untrusted')
  expect(await trust({ path: '/notes/x.md', trust: 'learned' })).toBe('learned')
  expect(await documentTrust(context(true))({ path: '/records/harbour/project.md', trust: 'approved' })).toBe(
    'from the clone',
  )
})

test.each([['2,3'], ['002, 003'], [['2', '3']], [[2, 3]], ['D2 and D3'], ['["2","3"]'], ['decisions 2 & 3']])(
  'several decisions, given as %j, are superseded at once',
  async (affected_decision_id) => {
    await propose('Queue in Redis')
    await propose('Queue in Rabbit')
    const { output } = await propose('Queue in Postgres', byAgent, { operation: 'supersede', affected_decision_id })
    expect(output['assessment']).toBe(
      'Recorded as D004 "Queue in Postgres"; it supersedes D002 "Queue in Redis" and D003 "Queue in Rabbit".',
    )
    expect(output['touched_decisions']).toEqual(['004-queue-in-postgres', '002-queue-in-redis', '003-queue-in-rabbit'])
    expect((await run('list_decisions')).output['decisions'].map((d: { number: number }) => d.number)).toEqual([4, 1])
    expect((await run('doctor')).output).toMatchObject({ clean: true })
  },
)

test('one unknown or superseded id among several rejects all, and an update accepts only one id', async () => {
  await propose('Queue in Redis')
  await propose('Queue in Rabbit')
  const refused = async (operation: string, affected_decision_id: string) =>
    (
      await run('propose_decision', {
        rationale: 'Because it was measured to hold.',
        operation,
        affected_decision_id,
        ...(operation === 'update' ? {} : { title: 'Queue in Postgres' }),
      })
    ).output['error'].reason
  expect(await refused('supersede', '2, 9')).toBe('There is no decision 9.')
  expect(await refused('supersede', '2 or so')).toBe('There is no decision or.')
  expect(await refused('update', '2,3')).toBe('An update adds to one decision; call it once for each.')
  expect((await run('list_decisions')).output['total']).toBe(3)
})
