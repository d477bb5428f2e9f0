import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWN_PROJECT, ownRows } from '../src/database/own-rows.ts'
import { scopeStatement } from '../src/database/scoped.ts'
import type { SqlDatabase, SqlScope, SqlSession } from '../src/kernel/ports/sql-database.ts'
import {
  fillTables,
  insertRow,
  insertSample,
  readTables,
  sampleRow,
  tenantId,
  type Row,
  type Table,
} from './postgres/fill-tables.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { wallFaults } from './postgres/wall-faults.ts'

// Tables shared by all tenants. Any other table must be restricted to a project or a person.
const SERVERS_OWN = [
  'migrations',
  'organisations',
  'people',
  'projects',
  'members',
  'leases',
  'job_turns',
  'invitations',
  'tokens',
  'browser_sessions',
  'sign_in_codes',
  'attempts',
  'one_time_secrets',
  'passkeys',
  'oauth_clients',
  'oauth_grants',
  'oauth_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'oauth_devices',
  'oauth_tallies',
  'audit_log',
  'retention',
]

// One table of each kind, including kinds that Ken does not use yet.
const KINDS = [
  'CREATE TABLE ken.of_person (person text, id text, note text, PRIMARY KEY (person, id))',
  ...ownRows('of_person', 'person'),
  'CREATE TABLE ken.of_both (project text, person text, id text, PRIMARY KEY (project, person, id))',
  ...ownRows('of_both', 'project and person'),
  `CREATE TABLE ken.of_job (project text, job text, kind text CHECK (kind IN ('one', 'two')), bytes bytea,
     PRIMARY KEY (project, job), FOREIGN KEY (project, job) REFERENCES ken.jobs)`,
  ...ownRows('of_job'),
  'CREATE VIEW ken.all_jobs WITH (security_invoker = true) AS SELECT id, payload, bytes FROM ken.jobs LEFT JOIN ken.of_job USING (project)',
  'GRANT SELECT ON ken.all_jobs TO ken_tenant',
  // Owned by its writer, and readable by the whole project.
  'CREATE TABLE ken.shared (project text, person text, id text, PRIMARY KEY (project, person, id))',
  ...ownRows('shared', 'project and person'),
  `CREATE POLICY shared_rows ON ken.shared FOR SELECT USING (project = ${OWN_PROJECT})`,
]

type Guard = 'project' | 'person'

interface TenantTable extends Table {
  /** Columns of a row that must match its writer, under every policy. */
  readonly guards: readonly Guard[]
  /** Columns of a row that must match its reader; fewer if rows are shared. */
  readonly readGuards: readonly Guard[]
}

let database: SqlDatabase
let tables: readonly Table[]
let walled: readonly TenantTable[]
const filled = new Map<string, ReadonlyMap<string, Row>>()
beforeAll(async () => {
  database = await openNewDatabase()
  await database.transaction('server', async (sql) => {
    for (const statement of KINDS) await sql.query(statement)
    tables = await readTables(sql)
    walled = await guarded(sql)
    for (const tag of ['alder', 'birch']) filled.set(tag, await fillTables(sql, tables, tag))
  })
})
afterAll(() => database?.close())

const of = (tag: string) => ({ project: tenantId(tag, 'project'), person: tenantId(tag, 'person') })
const [ALDER, BIRCH] = [of('alder'), of('birch')]

test('every table is restricted to a project or person, or belongs to the server and is inaccessible', async () => {
  expect(await database.transaction('server', (sql) => wallFaults(sql, SERVERS_OWN))).toEqual([])
  expect(walled.map(({ name }) => name)).toEqual(expect.arrayContaining(['jobs', 'of_both', 'of_job', 'of_person']))
  const there = tables.map(({ name }) => name)
  expect(SERVERS_OWN.filter((name) => name !== 'migrations' && !there.includes(name))).toEqual([])
})

test('detects tables, policies, grants and views that break tenant isolation', async () => {
  const holes = [
    'CREATE TABLE ken.open (project text, id int)',
    'CREATE TABLE ken.lax (project text, id int PRIMARY KEY)',
    ...ownRows('lax'),
    'CREATE POLICY all_rows ON ken.lax USING (true)',
    'CREATE TABLE ken.pointing (project text, lax int REFERENCES ken.lax)',
    ...ownRows('pointing'),
    'GRANT TRUNCATE ON ken.pointing TO ken_tenant',
    'GRANT SELECT (email) ON ken.people TO ken_tenant',
    'CREATE TABLE ken.shown (project text)',
    ...ownRows('shown'),
    'GRANT SELECT ON ken.shown TO PUBLIC',
    'CREATE VIEW ken.seen AS SELECT * FROM ken.jobs',
    'GRANT SELECT ON ken.seen TO ken_tenant',
    'CREATE FUNCTION ken.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$ SELECT count(*) FROM ken.jobs $$',
    'GRANT SELECT ON ken.job_turn_numbers TO ken_tenant',
    'GRANT CREATE ON SCHEMA ken TO ken_tenant',
  ]
  const found = await undone('server', async (sql) => {
    for (const statement of holes) await sql.query(statement)
    return wallFaults(sql, SERVERS_OWN)
  })
  expect(found.toSorted()).toEqual([
    'job_turn_numbers: a sequence tells what others do',
    'ken_tenant: the role of tenants can do more than it should',
    'lax: a policy asks for neither project nor person',
    'lax: a unique key without project or person',
    'open: row-level security is off',
    'open: the tenant may not read it',
    'open: there is no policy',
    'peek: a function runs with the rights of its owner',
    'people: a right beyond reading and writing rows, or a right of somebody else',
    'people: somebody has a right to a table of the server',
    'pointing: a right beyond reading and writing rows, or a right of somebody else',
    'pointing: it refers to rows of tenants without project or person',
    'seen: a view reads with the rights of its owner',
    'shown: a right beyond reading and writing rows, or a right of somebody else',
  ])
})

describe('a tenant', () => {
  const scopes: Readonly<Record<string, SqlScope>> = {
    'project and person': ALDER,
    'project alone': { project: ALDER.project },
    'person alone': { person: ALDER.person },
    'its project and another person': { project: ALDER.project, person: BIRCH.person },
    'another project and its person': { project: BIRCH.project, person: ALDER.person },
    'a project that does not exist': { project: 'none', person: 'none' },
    'nothing at all': { project: '', person: '' },
  }

  test.each(Object.entries(scopes))(
    'reads its own rows with %s, and no others with any query condition',
    async (_, scope) => {
      for (const table of walled) {
        const rows = ['alder', 'birch'].map((tag) => filled.get(tag)!.get(table.name)!)
        const seen = await undone(scope, (sql) => rowsOf(sql, table))
        const mayBeSeen = rows.filter((row) => matches(table.readGuards, row, scope))
        const own = rows.filter((row) => matches(table.guards, row, scope))
        expect({
          table: table.name,
          beyond: seen.filter((row) => !isAmong(mayBeSeen, row)),
          missing: own.filter((row) => !isAmong(seen, row)),
        }).toEqual({ table: table.name, beyond: [], missing: [] })
      }
    },
  )

  test('cannot change or delete another’s rows, regardless of the statement', async () => {
    for (const table of walled)
      for (const change of [
        `UPDATE ken."${table.name}" SET ${table.columns.map(({ name }) => `"${name}" = "${name}"`).join(', ')}`,
        `DELETE FROM ken."${table.name}"`,
        ...table.guards.map((guard) => `DELETE FROM ken."${table.name}" WHERE ${guard} = '${BIRCH[guard]}'`),
        ...table.guards.map(
          (guard) => `UPDATE ken."${table.name}" SET ${guard} = ${guard} WHERE ${guard} = '${BIRCH[guard]}'`,
        ),
      ]) {
        const touched = await undone(ALDER, async (sql) => {
          const rows = await sql.query<Row>(`${change} RETURNING ${texts(table)}`)
          await sql.query("SELECT set_config('role', 'none', true)")
          const left = expect.arrayContaining([filled.get('birch')!.get(table.name)!])
          expect({ change, left: await rowsOf(sql, table) }).toEqual({ change, left })
          return rows
        }).catch(refusal)
        const own = change.includes(' WHERE ') ? [] : [filled.get('alder')!.get(table.name)!]
        expect([own, 'refused'], change).toContainEqual(touched)
      }
  })

  test('cannot write rows for another tenant, or assign its own rows to one', async () => {
    for (const table of walled)
      for (const guard of table.guards) {
        const theirs = {
          ...sampleRow(table, 'cedar', filled.get('alder')!),
          ...guardsOf(table, ALDER),
          [guard]: BIRCH[guard],
        }
        await expect(
          undone(ALDER, (sql) => insertRow(sql, table, theirs)),
          `insert into ${table.name}`,
        ).rejects.toThrow(/row-level security|permission denied/)
        const give = `UPDATE ken."${table.name}" SET ${guard} = '${BIRCH[guard]}'`
        await expect(
          undone(ALDER, (sql) => sql.query(give)),
          give,
        ).rejects.toThrow(/row-level security|permission denied/)
      }
  })

  test('can write its own rows', async () => {
    const written: string[] = []
    for (const table of walled) {
      const mine = { ...sampleRow(table, 'cedar', filled.get('alder')!), ...guardsOf(table, ALDER) }
      const result = await undone(ALDER, (sql) => insertSample(sql, table, mine)).catch(refusal)
      if (result !== 'refused') written.push(table.name)
    }
    expect(written).toEqual(expect.arrayContaining(['jobs', 'of_both', 'of_person']))
  })

  test('without a project or person gets no rows, not even rows without an owner', async () => {
    for (const table of walled) {
      if (table.references.some(({ from }) => from.some((name) => table.guards.includes(name as 'project')))) continue
      const nobodys = {
        ...sampleRow(table, 'cedar', filled.get('alder')!),
        ...guardsOf(table, { project: '', person: '' }),
      }
      const seen = await undone('server', async (sql) => {
        await insertSample(sql, table, nobodys)
        await sql.query(scopeStatement({ project: '', person: '' }))
        return rowsOf(sql, table)
      })
      expect({ table: table.name, seen }).toEqual({ table: table.name, seen: [] })
    }
  })

  test('is refused on every table of the server', async () => {
    for (const name of SERVERS_OWN)
      for (const statement of [
        `SELECT FROM ken.${name}`,
        `INSERT INTO ken.${name} DEFAULT VALUES`,
        `DELETE FROM ken.${name}`,
        `TRUNCATE ken.${name} CASCADE`,
      ])
        await expect(
          undone(ALDER, (sql) => sql.query(statement)),
          statement,
        ).rejects.toThrow(/permission denied/)
  })

  test('cannot truncate a table, or see another’s rows through a view', async () => {
    for (const { name } of walled)
      await expect(
        undone(ALDER, (sql) => sql.query(`TRUNCATE ken."${name}"`)),
        name,
      ).rejects.toThrow(/permission denied/)
    const views = await database.transaction('server', (sql) =>
      sql.query<{ name: string }>(
        `SELECT 'ken.' || relname AS name FROM pg_class WHERE relnamespace = 'ken'::regnamespace AND relkind IN ('v', 'm')
           AND has_table_privilege('ken_tenant', oid, 'SELECT')`,
      ),
    )
    expect(views).toContainEqual({ name: 'ken.all_jobs' })
    for (const { name } of views) {
      const seen = await undone(ALDER, (sql) => sql.query<{ row: string }>(`SELECT v::text AS row FROM ${name} v`))
      expect({ name, theirs: seen.filter(({ row }) => row.includes('birch')) }).toEqual({ name, theirs: [] })
    }
  })
})

/**
 * Accepts errors that protect the data in other ways than the policies: a missing right, a foreign key or a unique key.
 * Rethrows all others.
 */
function refusal(error: unknown): 'refused' {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } }
  if (['23503', '23505', '42501'].includes(String(code ?? cause?.code))) return 'refused'
  throw error
}

/** The columns that are required by all read policies, and those required by all write policies. */
async function guarded(sql: SqlSession): Promise<readonly TenantTable[]> {
  const policies = await sql.query<{ name: string; cmd: string; asks: string }>(
    "SELECT tablename::text AS name, cmd, coalesce(with_check, qual) AS asks FROM pg_policies WHERE schemaname = 'ken'",
  )
  return tables.flatMap((table) => {
    const own = policies.filter(({ name }) => name === table.name)
    const askedBy = (some: typeof own) =>
      (['project', 'person'] as const).filter((guard) =>
        some.every(({ asks }) => new RegExp(`\\(${guard} = (NULLIF\\()?current_setting\\('ken.${guard}'`).test(asks)),
      )
    if (own.length === 0) return []
    return [{ ...table, guards: askedBy(own.filter(({ cmd }) => cmd !== 'SELECT')), readGuards: askedBy(own) }]
  })
}

const guardsOf = (table: TenantTable, values: Readonly<Record<'project' | 'person', string>>): Row =>
  Object.fromEntries(table.guards.map((guard) => [guard, values[guard]]))

const matches = (guards: readonly Guard[], row: Row, scope: SqlScope): boolean =>
  guards.every((guard) => row[guard] === (scope as Partial<typeof ALDER>)[guard])

const isAmong = (rows: readonly Row[], row: Row): boolean => {
  const text = JSON.stringify(row)
  return rows.some((one) => JSON.stringify(one) === text)
}

const texts = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"::text AS "${name}"`).join(', ')

const rowsOf = (sql: SqlSession, table: Table): Promise<readonly Row[]> =>
  sql.query<Row>(`SELECT ${texts(table)} FROM ken."${table.name}" ORDER BY ${table.columns[0]!.name}::text`)

/** Returns the result of `work` and rolls back. */
async function undone<T>(scope: SqlScope, work: (sql: SqlSession) => Promise<T>): Promise<T> {
  const result: T[] = []
  const back = new Error('taken back')
  await database
    .transaction(scope, async (sql) => {
      result.push(await work(sql))
      throw back
    })
    .catch((error: unknown) => {
      if (error !== back) throw error
    })
  return result[0]!
}
