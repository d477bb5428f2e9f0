import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { connect } from '../cluster/database-pair.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { startPostgres } from '../postgres/server.ts'

let server: OwnDatabase
let others: SqlDatabase[] = []
const open = async (): Promise<SqlDatabase> => {
  const database = await openPostgresDatabase({ url: server.url })
  others.push(database)
  return database
}

beforeAll(async () => {
  server = await newDatabase()
})
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()))
  await server.stop()
})

test('a lock held by one process excludes another', async () => {
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

test('a dropped connection is reopened, and an uncommitted transaction is retried', async () => {
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

test('a connection lost at commit does not matter if the transaction is read-only, and has an unknown outcome otherwise', async () => {
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
  expect(await cutAtTheEnd(true)).toBe(1)
  await expect(cutAtTheEnd(false)).rejects.toMatchObject({ code: 'unavailable', details: { outcome: 'unknown' } })
})

test('a batch that loses its connection stores nothing of what came before, and has an unknown outcome', async () => {
  const database = await open()
  await database.transaction('server', (sql) => sql.query('CREATE TABLE cut (id int)'))
  const lost = database.batch('server', [
    { text: 'INSERT INTO cut VALUES (1)' },
    { text: 'SELECT pg_terminate_backend(pg_backend_pid(), 5000)' },
  ])
  await expect(lost).rejects.toMatchObject({ code: 'unavailable', details: { outcome: 'unknown' } })
  expect(await database.batch('server', [{ text: 'SELECT id FROM cut' }])).toEqual([[]])
})

test('a server responds while every connection to it is busy, and a stopped one does not', async () => {
  const own = await startPostgres()
  const database = await openPostgresDatabase({ url: own.url, connections: 1 })
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

test('an address that can never work fails at once', async () => {
  for (const [url, message] of [
    [server.url.replace('ken@', 'nobody@'), /^The database refuses the user/],
    [`${server.url}-not`, /^There is no database of the name/],
    [`${server.url}?sslmode=verify-full`, /TLS/],
  ] as const)
    await expect(openPostgresDatabase({ url, patience: 600_000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      hint: 'Correct DATABASE_URL.',
    })
})

test('an unreachable server is reported without its address', async () => {
  const gone = openPostgresDatabase({ url: 'postgres://ken:secret-word@127.0.0.1:1/none', patience: 200 })
  await expect(gone).rejects.toMatchObject({ code: 'unavailable' })
  await expect(gone).rejects.not.toThrow(/secret-word/)
})

test('a listener added while the connection is down still gets notifications', async () => {
  const [database, killer] = [await open(), await open()]
  const heard: string[] = []
  await database.listen('first', () => undefined)
  let isCut = false
  const cut = killer
    .transaction('server', (sql) =>
      sql.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken listens'",
      ),
    )
    .finally(() => (isCut = true))
  const channels: string[] = []
  for (let at = 0; !isCut || at < 20; at++) {
    channels.push(`channel ${at}`)
    await database.listen(`channel ${at}`, () => heard.push(`channel ${at}`))
  }
  await cut
  await killer.transaction('server', async (sql) => {
    for (const channel of channels) await sql.query('SELECT pg_notify($1, $2)', [channel, 'news'])
  })
  await expect.poll(() => new Set(heard).size).toBe(channels.length)
})

test('waits for a free connection, and fails if none becomes free', async () => {
  const own = await startPostgres({ max_connections: '6', superuser_reserved_connections: '0', max_wal_senders: '0' })
  const database = await openPostgresDatabase({ url: own.url, connections: 1, patience: 3_000 })
  const others = [await connect(own)]
  await others[0]!.query(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken'",
  )
  while (others.length < 6) others.push(await connect(own))
  await expect(database.transaction('server', (sql) => sql.query('SELECT 1'))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database has no connection left',
  })
  const waiting = database.transaction('server', (sql) => sql.query('SELECT 1 AS one'))
  await others[0]!.end()
  expect(await waiting).toEqual([{ one: 1 }])
  await Promise.all(others.slice(1).map((other) => other.end()))
  await database.close()
  await own.stop()
})

test('a timed-out statement and a closed database have distinct errors', async () => {
  const database = await openPostgresDatabase({ url: server.url, patience: 300 })
  const asked = database.transaction('server', (sql) => sql.query('SELECT pg_sleep(5)'))
  await expect(asked).rejects.toMatchObject({ code: 'unavailable', message: 'The database took too long' })
  await database.close()
  await expect(database.transaction('server', (sql) => sql.query('SELECT 1'))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is closed.',
  })
})
