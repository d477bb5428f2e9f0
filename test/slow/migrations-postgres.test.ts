import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { MIGRATIONS } from '../../src/database/schema/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { readTables } from '../postgres/fill-tables.ts'
import { startPostgres, type PostgresServer } from '../postgres/server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'

const clock = { now: () => new Date() }
const NAMES = MIGRATIONS.map(({ name }) => name)
let server: PostgresServer
let owner: Owner
const opened: SqlDatabase[] = []
const urlOf = (database: string, user = server.user) => `postgres://${user}@${server.host}:${server.port}/${database}`
const open = async (options: Parameters<typeof openPostgresDatabase>[0]): Promise<SqlDatabase> => {
  const database = await openPostgresDatabase(options)
  opened.push(database)
  return database
}

beforeAll(async () => {
  server = await startPostgres()
  owner = ownPostgres({ host: server.host, port: server.port, database: server.database, user: server.user })
})
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()))
  await owner?.close()
  await server?.stop()
})

test('concurrent processes migrate a database once, and other databases of the server in parallel', async () => {
  const databases = ['one', 'two', 'three']
  for (const name of databases) await owner.exec(`CREATE DATABASE ${name}`)
  const processes = await Promise.all(
    databases.flatMap((name) => [name, name]).map(async (name) => ({ name, go: await startMigrating(urlOf(name)) })),
  )
  const told = await Promise.all(processes.map(async ({ name, go }) => ({ name, done: await go() })))
  for (const name of databases)
    expect(
      told
        .filter((one) => one.name === name)
        .flatMap(({ done }) => done)
        .toSorted(),
    ).toEqual(NAMES.toSorted())
})

test('a process that lost its lock repeats no migration', async () => {
  await owner.exec('CREATE DATABASE unlocked')
  const [one, two] = [await open({ url: urlOf('unlocked') }), await open({ url: urlOf('unlocked') })]
  // Without the lock both find an empty database and start.
  const without = (database: SqlDatabase): SqlDatabase => ({
    ...database,
    withLock: (_name, _patience, work) => work([]),
  })
  await migrate(one, { clock, upTo: 0 })
  const results = await Promise.all([one, two].map((database) => migrate(without(database), { clock })))
  expect(results.flatMap(({ done }) => done).toSorted()).toEqual(NAMES.toSorted())
})

test('a user without superuser rights can migrate, and its tenants can access only their rows', async () => {
  await owner.exec('CREATE ROLE plain LOGIN CREATEROLE')
  // Another database has created the role; a server administrator grants it to this user.
  await owner.exec('GRANT ken_tenant TO plain')
  await owner.exec('CREATE DATABASE plain OWNER plain')
  const database = await open({ url: urlOf('plain', 'plain') })
  expect((await migrate(database, { clock })).done).toEqual(NAMES)
  const count = (project: string) =>
    database.transaction({ project }, (sql) => sql.query<{ count: number }>('SELECT count(*) AS count FROM ken.jobs'))
  await database.transaction('server', (sql) =>
    sql.query(
      "INSERT INTO ken.jobs (project, id, kind, payload, put_at, due_at) VALUES ('a', '1', 'k', '1', now(), now())",
    ),
  )
  expect([await count('a'), await count('b')]).toEqual([[{ count: 1 }], [{ count: 0 }]])
})

test('a user that creates the tenant role can assume it', async () => {
  const other = await startPostgres()
  const admin = ownPostgres({ host: other.host, port: other.port, database: other.database, user: other.user })
  await admin.exec('CREATE ROLE maker LOGIN CREATEROLE')
  await admin.exec('CREATE DATABASE made OWNER maker')
  const database = await openPostgresDatabase({ url: `postgres://maker@${other.host}:${other.port}/made` })
  await migrate(database, { clock })
  expect(await database.transaction({ project: 'a' }, (sql) => sql.query('SELECT current_user::text AS name'))).toEqual(
    [{ name: 'ken_tenant' }],
  )
  await database.close()
  await admin.close()
  await other.stop()
})

test('a migration may take longer than a call', async () => {
  await owner.exec('CREATE DATABASE large')
  const database = await open({ url: urlOf('large'), patience: 1_000 })
  const long = { number: 1, name: 'long', statements: () => ['SELECT pg_sleep(2)', 'CREATE TABLE ken.long (id int)'] }
  expect((await migrate(database, { clock, migrations: [long] })).done).toEqual(['long'])
  expect(await database.transaction('server', readTables)).toMatchObject([{ name: 'long' }])
})

test('a migration that waits for a table does not block other sessions', async () => {
  await owner.exec('CREATE DATABASE busy')
  const [database, other] = [await open({ url: urlOf('busy') }), await open({ url: urlOf('busy') })]
  const long = await open({ url: urlOf('busy'), patience: 120_000 })
  const first = { number: 1, name: 'first', statements: () => ['CREATE TABLE ken.things (id int)'] }
  const second = { number: 2, name: 'second', statements: () => ['ALTER TABLE ken.things ADD COLUMN name text'] }
  await migrate(database, { clock, migrations: [first] })
  const [held, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reader = long.transaction('server', async (sql) => {
    await sql.query('SELECT * FROM ken.things')
    isHeld.resolve()
    await held.promise
  })
  await isHeld.promise
  const migrating = migrate(database, { clock, migrations: [first, second] })
  const waiting = "SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted"
  await expect.poll(() => other.transaction('server', (sql) => sql.query(waiting)).then((rows) => rows.length)).toBe(1)
  // All sessions would wait behind a pending lock.
  expect(await other.transaction('server', (sql) => sql.query('SELECT * FROM ken.things'))).toEqual([])
  held.resolve()
  await reader
  expect((await migrating).done).toEqual(['second'])
})

test('a server does not start on a schema that a later version made incompatible', async () => {
  await owner.exec('CREATE DATABASE later')
  const database = await open({ url: urlOf('later') })
  const plain = (number: number) => ({
    number,
    name: `m${number}`,
    statements: () => [`CREATE TABLE ken.t${number} ()`],
  })
  const breaking = { ...plain(3), oldest: 2 }
  await migrate(database, { clock, migrations: [plain(1), plain(2), breaking] })
  expect(await migrate(database, { clock, migrations: [plain(1), plain(2)] })).toEqual({ at: 3, done: [] })
  await expect(migrate(database, { clock, migrations: [plain(1)] })).rejects.toMatchObject({ code: 'conflict' })
})

async function startMigrating(url: string): Promise<() => Promise<readonly string[]>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../postgres/migrating.ts'), url])
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += String(data)))
  child.stderr.on('data', (data: Buffer) => (err += String(data)))
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  return async () => {
    child.stdin.write('go\n')
    const [code] = (await closed) as [unknown]
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out.split('\n')[1]!) as string[]
  }
}
