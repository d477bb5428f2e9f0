import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from '../context/context-desk.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'
import { start } from '../upkeep/process.ts'
import { until } from '../upkeep/until.ts'

let server: OwnDatabase
let owner: Owner
let desk: ContextDesk
beforeAll(async () => {
  server = await newDatabase()
  owner = ownPostgres({ host: server.host, port: server.port, database: server.database, user: server.user })
  await owner.exec('CREATE TABLE numbers AS SELECT n AS id FROM generate_series(1, 100000) n; ANALYZE')
})
afterAll(async () => {
  await owner?.close()
  await server?.stop()
})
beforeEach(() => {
  desk = openContextDesk({ PG_PASSWORD: 'not-asked-for' })
  desk.configure({
    name: 'shop',
    databases: [
      {
        name: 'shop',
        type: 'postgres',
        host: server.host,
        port: server.port,
        database: server.database,
        user: server.user,
        password: '${PG_PASSWORD}',
      },
    ],
  })
})
afterEach(() => desk.close())

const ken = (...words: string[]) =>
  start([KEN, ...words], {
    cwd: desk.root,
    env: {
      PATH: process.env['PATH'] ?? '',
      KEN_HOME: desk.path('../home'),
      KEN_TELEMETRY: '0',
      PG_PASSWORD: 'not-asked-for',
    },
  })
const busy = async (when: string) =>
  Number(
    (
      await owner.column(
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken' AND state = 'active' AND ${when}`,
      )
    )[0],
  )
// A statement is read through a cursor, so the server does not show its text.
const READING = "query LIKE 'FETCH%'"
const ASLEEP = "wait_event = 'PgSleep'"

test('Ctrl-C during `ken sql` ends the statement in PostgreSQL too', async () => {
  await desk.sync()
  const asking = ken(
    'sql',
    'SELECT sum(a.id % 7 + b.id % 11 + c.id % 13) AS endless FROM numbers a, numbers b, numbers c',
  )
  await until('the statement', async () => (await busy(READING)) > 0)
  const { code, out, err } = await asking.end('SIGINT')
  expect({ code, out, err }).toEqual({ code: 130, out: '', err: 'ken: the statement was stopped.\n' })
  await until('PostgreSQL to be idle', async () => (await busy(READING)) === 0)
})

test('Ctrl-C during `ken sync` ends its statements in PostgreSQL, and the next run continues', async () => {
  await owner.exec('CREATE VIEW dozing AS SELECT 1 AS id FROM pg_sleep(3600)')
  await desk.run('trust', { yes: true })
  const syncing = ken('sync')
  await until('the statement', async () => (await busy(ASLEEP)) > 0)
  const { code, out, err } = await syncing.end('SIGINT')
  expect({ code, out, said: err.trimEnd().split('\n').at(-1) }).toEqual({
    code: 130,
    out: '',
    said: 'ken: `ken sync` was stopped. Finished parts are kept.',
  })
  await until('PostgreSQL to be idle', async () => (await busy(ASLEEP)) === 0)
  await owner.exec('DROP VIEW dozing')
  // A table, and the page of examples, which a server with a query history may fill.
  expect(await desk.sync()).toMatchObject({ failures: [], sources: [{ listed: 2 }] })
})
