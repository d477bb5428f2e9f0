import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresAnalystState } from '../src/database/state/postgres/analyst-state.ts'
import { openPostgresChatNews } from '../src/database/state/postgres/chat-news.ts'
import { openPostgresLeases } from '../src/kernel/lease/postgres.ts'
import type { SharedLeases } from '../src/kernel/ports/shared-lease.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { at, chat, ended, message } from './contract/analyst-samples.ts'
import { describeAnalystState } from './contract/analyst-state.contract.ts'
import { emptied } from './postgres/emptied.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { describeStateWalls } from './postgres/state-walls.ts'

let database: SqlDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.close())

const ADA = { project: 'shop', person: 'ada' }

describeAnalystState('PostgreSQL', {
  open: async () => openPostgresAnalystState(await emptied(database), ADA),
  openForAll: async () => openPostgresAnalystState(await emptied(database), 'server'),
})
describeStateWalls('PostgreSQL', () => database)

test('a chat follower is notified of every committed change to its log, and of no other', async () => {
  const state = openPostgresAnalystState(await emptied(database), ADA)
  for (const id of ['c1', 'c2']) await state.chats.start(chat(id))
  const news = await openPostgresChatNews(database)
  const woken: string[] = []
  let said = ''
  const stop = news.onNews('c1', () => woken.push(said))
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['begin', () => state.log.begin(message('m1'), [{ kind: 'text', text: 'a' }])],
    ['append', () => state.log.append(message('m1'), { kind: 'notice', text: 'n' }, at(2))],
    ['grow', () => state.log.grow('c1', 1, 'ab')],
    ['end', () => state.log.end('m1', ended)],
    ['supersede', () => state.log.supersede('c1', 'm1')],
  ]
  for (const [name, change] of changes) {
    said = name
    await state.log.begin(message(`elsewhere ${name}`, { chat: 'c2' }), [])
    await state.log.append({ id: 'none', chat: 'c1' }, { kind: 'notice', text: 'x' }, at(2)).catch(() => undefined)
    expect(woken).not.toContain(name)
    await change()
    await expect.poll(() => woken.filter((one) => one === name)).toEqual([name])
  }
  stop()
  await state.log.append(message('m1'), { kind: 'notice', text: 'late' }, at(3))
  expect(woken).toHaveLength(changes.length)
  await news.close()
})

test('an expired lease can be taken, and its former holder is notified and cannot release it', async () => {
  let ids = 0
  const newId = () => `holder ${++ids}`
  const [here, there] = [1, 2].map(() => openPostgresLeases(database, { newId, term: 300 })) as [
    SharedLeases,
    SharedLeases,
  ]
  const endIt = () =>
    database.transaction('server', (sql) => sql.query("UPDATE ken.leases SET until = now() - interval '1 hour'"))
  const longer = openPostgresLeases(database, { newId, term: 600_000 })
  const mine = (await longer.tryTake('story s1'))!
  expect(await there.tryTake('story s1')).toBeUndefined()
  expect(await longer.tryTake('story s2')).toBeDefined()
  await mine.release()
  const lost = (await here.tryTake('story s1'))!
  await endIt()
  expect(await longer.tryTake('story s1')).toBeDefined()
  await expect.poll(() => lost.lost.aborted).toBe(true)
  await lost.release()
  expect(await there.tryTake('story s1')).toBeUndefined()
  await longer.close()
  expect(await there.tryTake('story s1')).toBeDefined()
  await there.close()
})
