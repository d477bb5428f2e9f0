import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateCommand } from '../src/app/team/migrate-command.ts'
import { openPostgresDatabase } from '../src/database/postgres/index.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { readTables } from './postgres/fill-tables.ts'
import { startPostgres, type PostgresServer } from './postgres/server.ts'
import { openSharedDesk, type SharedDesk } from './shared-desk.ts'

let postgres: PostgresServer
let database: SqlDatabase
let desk: SharedDesk
let [acme, other]: Awaited<ReturnType<SharedDesk['found']>>[] = []

const urlOf = (user: string): string => `postgres://${user}@${postgres.host}:${postgres.port}/team`
const migrateAs = (user: string, flags = {}) => migrateCommand.run({ words: [], flags }, { DATABASE_URL: urlOf(user) })
const decision = (title: string) => ({ title, rationale: 'Reports join orders with customers, which Redis cannot do.' })

beforeAll(async () => {
  postgres = await startPostgres()
  await asUser(postgres.user, 'postgres', [
    'CREATE ROLE tables_owner LOGIN CREATEROLE',
    'CREATE ROLE application LOGIN',
    'CREATE ROLE stranger LOGIN',
    'CREATE DATABASE team OWNER tables_owner',
  ])
})
afterAll(async () => {
  await desk?.close()
  await postgres?.stop()
})

async function connectAs(user: string, name = 'team'): Promise<pg.Client> {
  const client = new pg.Client({ host: postgres.host, port: postgres.port, user, database: name })
  await client.connect()
  return client
}

async function asUser(user: string, name: string, statements: readonly string[]): Promise<void> {
  const client = await connectAs(user, name)
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

test('the owner creates the tables and the application role, and a role with too many rights is refused', async () => {
  await expect(migrateAs('stranger')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(migrateAs('tables_owner', { application: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
  for (const application of ['tables_owner', postgres.user])
    await expect(migrateAs('tables_owner', { application })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await migrateAs('tables_owner', { application: 'application' })).toContain('application can run servers')
  expect(await migrateAs('tables_owner', { application: 'application' })).toContain('No changes.')
})

test('a server that logs in as the application role does its work', async () => {
  database = await openPostgresDatabase({ url: urlOf('application') })
  desk = await openSharedDesk(database, async () => undefined)
  ;[acme, other] = [await desk.found('Ada'), await desk.found('Bea')]
  for (const [who, title] of [
    [acme, 'Keep orders in PostgreSQL'],
    [other, 'Keep invoices in MariaDB'],
  ] as const)
    await desk.ask(who!, 'propose_decision', decision(title))
  const found = await desk.ask(acme!, 'check_decision', { proposed_approach: 'Keep orders in PostgreSQL' })
  expect(JSON.stringify(found)).toContain('Keep orders in PostgreSQL')
  expect(JSON.stringify(found)).not.toContain('MariaDB')
  await desk.ask(acme!, 'memory_write', { content: 'Orders have three states.' })
  expect(await desk.ask(acme!, 'verify', {})).toMatchObject({ clean: true })
  // Its start changes nothing, as there is nothing to migrate.
  expect((await migrate(database, { clock: systemClock })).done).toEqual([])
})

test('a transaction of one project reads no rows of another', async () => {
  const rowsOf = (project: string, within: string) =>
    database.transaction({ project: within }, (sql) =>
      sql.query('SELECT path FROM ken.record_files WHERE project = $1', [project]),
    )
  expect((await rowsOf(acme!.project, acme!.project)).length).toBeGreaterThan(0)
  expect(await rowsOf(other!.project, acme!.project)).toEqual([])
  // A transaction that takes on no role reads nothing at all.
  const tables = await database.transaction('server', readTables)
  const client = await connectAs('application')
  try {
    for (const { name } of tables)
      await expect(client.query(`SELECT FROM ken."${name}"`), name).rejects.toThrow(/permission denied/)
  } finally {
    await client.end()
  }
})

test('the application role cannot change a table, a wall, a role or the audit log', async () => {
  const refused = [
    'ALTER TABLE ken.projects ADD COLUMN more text',
    'ALTER TABLE ken.record_files DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE ken.audit_log DISABLE TRIGGER ALL',
    'DROP TABLE ken.jobs',
    'DROP POLICY own_rows ON ken.record_files',
    'CREATE POLICY more ON ken.record_files USING (true)',
    'TRUNCATE ken.projects CASCADE',
    'CREATE TABLE ken.more (id int)',
    'CREATE SCHEMA more',
    'DROP SCHEMA ken CASCADE',
    'UPDATE ken.audit_log SET person = person',
    "INSERT INTO ken.migrations VALUES (999, 'more', '', now())",
    'SET ROLE tables_owner',
    'ALTER ROLE application BYPASSRLS',
    'CREATE ROLE more',
  ]
  const client = await connectAs('application')
  try {
    for (const role of ['none', 'ken_server', 'ken_tenant']) {
      await client.query(`SET ROLE ${role}`)
      for (const statement of refused)
        await expect(client.query(statement), `${role}: ${statement}`).rejects.toThrow(
          /permission denied|must be (?:owner|able)|must have|Only roles/,
        )
      // Without the right to grant this only warns.
      await client.query('GRANT SELECT ON ken.projects TO PUBLIC').catch(() => undefined)
    }
    await client.query('SET ROLE ken_server')
    const { rows } = await client.query("SELECT has_table_privilege('stranger', 'ken.projects', 'SELECT') AS reads")
    expect(rows).toEqual([{ reads: false }])
  } finally {
    await client.end()
  }
  await asUser('application', 'team', [
    'SET ROLE ken_server',
    `INSERT INTO ken.audit_log (at, organisation, person, through, operation, effect, outcome, surface)
       VALUES (now(), '', '', 'server', 'test', 'write', 'ok', 'cli')`,
  ])
  const erase = "SELECT set_config('ken.audit_before', '2999-01-01', false)"
  await expect(
    asUser('application', 'team', ['SET ROLE ken_server', erase, 'DELETE FROM ken.audit_log']),
  ).rejects.toThrow('the audit log is only added to')
})

test('only the owner can create the tables of a later version, and the application role then has access to them', async () => {
  await asUser('tables_owner', 'team', [
    'DELETE FROM ken.migrations WHERE number = (SELECT max(number) FROM ken.migrations)',
  ])
  await expect(migrate(database, { clock: systemClock })).rejects.toMatchObject({
    code: 'forbidden',
    hint: expect.stringContaining('ken server migrate'),
  })
  await asUser('tables_owner', 'team', [
    'DROP FUNCTION ken.project_moved CASCADE',
    'DROP FUNCTION ken.member_moved CASCADE',
    'ALTER TABLE ken.organisations DROP COLUMN reach',
    'CREATE TABLE ken.later (project text PRIMARY KEY)',
    'ALTER TABLE ken.later ENABLE ROW LEVEL SECURITY',
  ])
  expect(await migrateAs('tables_owner')).toContain('reach')
  await database.transaction('server', (sql) => sql.query("INSERT INTO ken.later VALUES ('p')"))
  expect(await database.transaction('server', (sql) => sql.query('SELECT project FROM ken.later'))).toEqual([
    { project: 'p' },
  ])
})
