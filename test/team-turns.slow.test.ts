import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatEvent } from '../src/analyst/domain/chat/event.ts'
import { openTeamAnalyst, type TeamAnalyst } from '../src/app/team/open-team-analyst.ts'
import { openTeamModels } from '../src/app/team/team-models.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { at, chat, message } from './contract/analyst-samples.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const ADA = { project: 'shop', person: 'ada' }

let database: SqlDatabase
let [here, there]: TeamAnalyst[] = []
const replica = (): Promise<TeamAnalyst> =>
  openTeamAnalyst(database, {
    clock: systemClock,
    models: openTeamModels(
      {},
      async () => undefined,
      () => {},
    ),
    contextOf: () => {
      throw new Error('no context here')
    },
  })
const turnsOf = (analyst: TeamAnalyst) => analyst.turns.of(async () => analyst.stateOf(ADA))

beforeAll(async () => {
  database = await openNewDatabase()
  await migrate(database, { clock: systemClock })
  ;[here, there] = [await replica(), await replica()]
})
afterAll(async () => {
  await Promise.all([here!.close(), there!.close()])
  await database.close()
})

/** Expires every lease, as if the replicas had died. */
const endLeases = () =>
  database.transaction('server', (sql) => sql.query("UPDATE ken.leases SET until = now() - interval '1 hour'"))

const waits = {
  type: 'part',
  id: '1',
  message: 'm',
  part: { kind: 'approval', call: 'c', tool: 't', input: {} },
} as const

test('an approval and a stop each reach a turn on another replica once', async () => {
  let stops = 0
  const turn = await turnsOf(here!).begin('c1', () => stops++)
  await expect(turnsOf(there!).begin('c1', () => {})).rejects.toMatchObject({ code: 'conflict' })
  turn.tell(waits)
  expect(await turnsOf(there!).settle('c1', 'c', 'chat')).toBe(true)
  expect(await turn.approval('c')).toBe('chat')
  expect(await turnsOf(there!).stop('c1')).toBe(true)
  expect(stops).toBe(1)
  await turn.close()
  expect(await turnsOf(there!).stop('c1')).toBe(false)
  await (await turnsOf(there!).begin('c1', () => {})).close()
})

test('cleanup ends an answer on a dead replica and keeps a running one', async () => {
  const state = here!.stateOf(ADA)
  for (const id of ['c2', 'c3']) {
    await state.chats.start(chat(id))
    await state.log.begin(message(`a of ${id}`, { chat: id, role: 'assistant' }), [{ kind: 'text', text: 'Half of' }])
  }
  const written = await turnsOf(here!).begin('c3', () => {})
  await there!.tidy()
  const endOf = async (id: string) => (await state.log.messages(id)).at(-1)!.end?.reason
  expect([await endOf('c2'), await endOf('c3')]).toEqual(['cut', undefined])
  await written.close()
})

test('a follower on another replica gets new parts, and the end of an abandoned answer', async () => {
  const state = here!.stateOf(ADA)
  await state.chats.start(chat('c4'))
  const answer = message('a of c4', { chat: 'c4', role: 'assistant' })
  const turn = await turnsOf(here!).begin('c4', () => {})
  await state.log.begin(answer, [{ kind: 'text', text: 'On' }])
  const heard: ChatEvent[] = []
  const following = (async () => {
    for await (const event of turnsOf(there!).follow('c4', undefined, new AbortController().signal)) heard.push(event)
  })()
  await expect.poll(() => heard.length).toBe(2)
  await state.log.grow('c4', 1, 'On and on')
  await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'more', text: ' and on' })
  await state.log.append(answer, { kind: 'notice', text: 'That is all.' }, at(3))
  await endLeases()
  await following
  expect(heard.map(({ type }) => type)).toEqual(['message', 'part', 'more', 'part', 'end'])
  expect(heard.at(-1)).toMatchObject({ end: { reason: 'cut' } })
  await turn.close()
})
