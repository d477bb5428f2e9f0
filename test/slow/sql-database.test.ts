import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
import { describeSqlDatabase } from '../contract/sql-database.contract.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

let server: PostgresServer
let others: SqlDatabase[] = []
const open = async (): Promise<SqlDatabase> => {
  const database = await openPostgresDatabase({
    url: `postgres://${server.user}@${server.host}:${server.port}/${server.database}`,
  })
  others.push(database)
  return database
}

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()))
  await server.stop()
})

describeSqlDatabase('a real PostgreSQL', open)

test('a lock of one process keeps another out', async () => {
  const [one, two] = [await open(), await open()]
  const held = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const holder = one.withLock('shared', 5_000, async () => {
    entered.resolve()
    await held.promise
  })
  await entered.promise
  await expect(two.withLock('shared', 200, async () => 1)).rejects.toMatchObject({ code: 'unavailable' })
  held.resolve()
  await holder
  expect(await two.withLock('shared', 5_000, async () => 2)).toBe(2)
})

test('a connection that is cut is made anew, and what did not land is tried again', async () => {
  const database = await open()
  let tries = 0
  const answer = await database.transaction('server', async (sql) => {
    tries += 1
    const [row] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    if (tries === 1) {
      const killer = await open()
      await killer.transaction('server', (other) => other.query('SELECT pg_terminate_backend($1)', [row!.pid]))
    }
    return (await sql.query<{ two: number }>('SELECT 1 + 1 AS two'))[0]!.two
  })
  expect([answer, tries]).toEqual([2, 2])
})

test('what is cut off as it ends is read again where it only read, and in doubt where it may have written', async () => {
  const [database, killer] = [await open(), await open()]
  const cutAtTheEnd = async (readOnly: boolean): Promise<number> => {
    let tries = 0
    await database.transaction(
      'server',
      async (sql) => {
        tries += 1
        const [row] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        if (tries === 1)
          await killer.transaction('server', (other) =>
            other.query('SELECT pg_terminate_backend($1, 5000)', [row!.pid]),
          )
      },
      { readOnly },
    )
    return tries
  }
  expect(await cutAtTheEnd(true)).toBe(2)
  await expect(cutAtTheEnd(false)).rejects.toMatchObject({ code: 'unavailable', details: { outcome: 'unknown' } })
})

test('a server answers while every connection to it is busy, and one that went does not', async () => {
  const own = await startPostgres()
  const database = await openPostgresDatabase({
    url: `postgres://${own.user}@${own.host}:${own.port}/${own.database}`,
    connections: 1,
  })
  const [busy, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = database.transaction('server', async (sql) => {
    await sql.query('SELECT 1')
    busy.resolve()
    await end.promise
  })
  await busy.promise
  expect(await database.answers()).toBe(true)
  end.resolve()
  await work
  await own.stop()
  await expect.poll(() => database.answers(), { timeout: 10_000 }).toBe(false)
  await database.close()
})

test('a server that is not there is told of without the address', async () => {
  const gone = openPostgresDatabase({ url: 'postgres://ken:secret-word@127.0.0.1:1/none', patience: 200 })
  await expect(gone).rejects.toMatchObject({ code: 'unavailable' })
  await expect(gone).rejects.not.toThrow(/secret-word/)
})
