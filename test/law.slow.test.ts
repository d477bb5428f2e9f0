import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personNamed } from '../src/app/team/care-given.ts'
import { exportTo } from '../src/app/team/export-command.ts'
import { forgetPerson } from '../src/app/team/forget-person.ts'
import { PERSON_COLUMNS } from '../src/database/erase-person.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { startRecord } from '../src/record/start-record.ts'
import { openPostgresStores } from '../src/record/store/postgres/index.ts'
import { NOT_OF_PERSON, NOT_OF_PROJECT, OF_PERSON, OF_PROJECT } from '../src/team/data-export/exported-tables.ts'
import { KEN } from './ken-program.ts'
import { everyRow } from './postgres/every-row.ts'
import { fillTables, readTables, tenantId } from './postgres/fill-tables.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const run = promisify(execFile)
const at = new Date('2026-05-01T10:00:00Z')
const [ADA, ALDER] = [tenantId('alder', 'person'), tenantId('alder', 'project')]
const SHOP = systemClock.ulid()
let database: SqlDatabase
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ken-law-'))
  database = await openNewDatabase()
  await migrate(database, { clock: { now: () => at } })
  await database.transaction('server', async (sql) => {
    const tables = await readTables(sql)
    for (const tag of ['alder', 'birch']) await fillTables(sql, tables, tag)
    for (const [table, column] of [
      ['chat_readers', 'reader'],
      ['story_readers', 'reader'],
    ])
      await sql.query(`UPDATE ken.${table} SET ${column} = $1 WHERE person = $2`, [ADA, tenantId('birch', 'person')])
    await sql.query(
      "UPDATE ken.people SET email = 'ada@example.com', name = 'Ada Alder', role = 'member' WHERE id = $1",
      [ADA],
    )
    await sql.query("INSERT INTO ken.sign_in_codes VALUES ('h', 'ada@example.com', 's', 0, now())")
    await sql.query(`INSERT INTO ken.one_time_secrets VALUES ('o', 'passkey', '{"person": "${ADA}"}', now())`)
    await sql.query("INSERT INTO ken.oauth_tallies VALUES ('user code ' || $1, 1, now()), ('device', 1, now())", [ADA])
    await sql.query('INSERT INTO ken.projects VALUES ($1, $2, $3, now())', [SHOP, 'alder-organisations-id', 'shop'])
  })
  const stores = await openPostgresStores({
    database,
    clock: systemClock,
    embedder: async () => undefined,
    scan: () => {
      throw new Error('no vectors here')
    },
  })
  const store = stores.open({ id: SHOP, name: 'shop', mode: 'cloud', location: '' })
  const origin = { surface: 'http', user: ADA } as const
  await startRecord({ clock: systemClock, origin }, store)
  await store.commit(origin, async (draft) =>
    draft.write('context/who.md', '# Who\n\nAda Alder, ada@example.com, knows.\n'),
  )
  await stores.close()
})
afterAll(async () => {
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

const columnsLike = (pattern: string): Promise<readonly { table: string; column: string }[]> =>
  database.transaction('server', (sql) =>
    sql.query(
      `SELECT c.table_name::text AS table, c.column_name::text AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'ken' AND t.table_type = 'BASE TABLE' AND c.column_name ~ $1 ORDER BY 1, 2`,
      [pattern],
    ),
  )

const unpacked = async (name: string, wanted: object): Promise<string> => {
  const [archive, into] = [join(folder, `${name}.tar.gz`), mkdtempSync(join(folder, `${name}-`))]
  await exportTo(database, archive, wanted)
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  await run('tar', ['-xzf', archive, '-C', into])
  return into
}

const textsBelow = (root: string): string =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')

test('every table with data of a person or a project is exported, or the reason is documented', async () => {
  const missing = (found: readonly { table: string }[], exported: readonly { table: string }[], reasons: object) =>
    [...new Set(found.map(({ table }) => table))].filter(
      (table) => !exported.some((one) => one.table === table) && !Object.hasOwn(reasons, table),
    )
  const ofPeople = await columnsLike('person|reader|invited_by|email|author|owner|^user$|laid_by')
  expect(missing(ofPeople, OF_PERSON, NOT_OF_PERSON)).toEqual([])
  const ofProjects = await columnsLike('project')
  expect(missing(ofProjects, OF_PROJECT, NOT_OF_PROJECT)).toEqual([])
  // Conversely, every named table exists.
  const all = (await database.transaction('server', readTables)).map(({ name }) => name)
  const named = [...OF_PERSON, ...OF_PROJECT].map(({ table }) => table)
  expect(
    [...named, ...Object.keys({ ...NOT_OF_PERSON, ...NOT_OF_PROJECT })].filter((one) => !all.includes(one)),
  ).toEqual([])
})

test('every column with a person id is covered by forgetting', async () => {
  const found = await columnsLike('person|reader|invited|author|owner|^user$|member|_by$|_to$')
  const known = [...PERSON_COLUMNS, 'author', 'laid_by', 'superseded_by', 'set_by', 'changed_by'] as readonly string[]
  expect(found.filter(({ column }) => !known.includes(column))).toEqual([])
})

test('a person’s export contains all their rows and no secret', async () => {
  const into = await unpacked('ada', { person: 'Ada@example.com' })
  const readme = readFileSync(join(into, 'README.md'), 'utf8')
  for (const { file, table, column } of OF_PERSON) {
    expect(readme).toContain(`\`${file}.jsonl\``)
    const lines = readFileSync(join(into, `${file}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean)
    const [row] = await database.transaction('server', (sql) =>
      sql.query<{ rows: number }>(`SELECT count(*) AS rows FROM ken."${table}" WHERE "${column}" = $1`, [ADA]),
    )
    expect([table, lines.length]).toEqual([table, row!.rows])
    for (const line of lines) expect(JSON.parse(line)[column]).toBe(ADA)
  }
  const text = textsBelow(into)
  const secrets = await database.transaction('server', (sql) =>
    sql.query<{ secret: string }>(
      `SELECT hash AS secret FROM ken.tokens UNION SELECT hash FROM ken.browser_sessions UNION SELECT id FROM ken.browser_sessions
       UNION SELECT hash FROM ken.oauth_access_tokens UNION SELECT hash FROM ken.oauth_refresh_tokens UNION SELECT hash FROM ken.oauth_codes`,
    ),
  )
  expect(secrets.length).toBeGreaterThan(8)
  for (const { secret } of secrets) expect(text).not.toContain(secret)
  expect(text).not.toContain(tenantId('birch', 'project'))
  await expect(exportTo(database, join(folder, 'none.tar.gz'), { person: 'nobody@example.com' })).rejects.toMatchObject(
    {
      code: 'not_found',
    },
  )
  await expect(exportTo(database, join(folder, 'ada.tar.gz'), { person: ADA })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('the export of a project has a record that a plain ken opens and verifies', async () => {
  const into = await unpacked('shop', { project: SHOP })
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { ...process.env, HOME: home, KEN_HOME: join(home, '.ken') }
  const ken = (...words: string[]) => run(process.execPath, [KEN, ...words], { cwd: into, env })
  expect((await ken('verify')).stdout).toMatch(/ok|agree|verified|intact/i)
  expect(readFileSync(join(into, '.ken/record/context/who.md'), 'utf8')).toContain('Ada Alder')
  const journal = readFileSync(join(into, '.ken/record/journal/events.jsonl'), 'utf8').trim().split('\n')
  expect(journal.map((line) => JSON.parse(line).origin.user)).toEqual([ADA, ADA])
  expect(readFileSync(join(into, 'project.jsonl'), 'utf8')).toContain(SHOP)
})

test('a forgotten person is gone from every table except as stated in the proof, and a second run finds nothing', async () => {
  const before = await everyRow(database)
  const others = Object.entries(before).map(([table, rows]) => [
    table,
    rows.filter((row) => row.includes('birch')).length,
  ])
  const person = await personNamed(database, { named: 'ada@example.com', organisation: undefined })
  const proof = (await forgetPerson(database, { named: 'ada@example.com', person, days: 30, at })) as any
  const counts = new Map<string, number>()
  for (const { table, rows } of [...proof.removed, ...proof.removed_after])
    counts.set(table, (counts.get(table) ?? 0) + rows)
  for (const table of [
    'people',
    'members',
    'tokens',
    'browser_sessions',
    'passkeys',
    'oauth_grants',
    'chats',
    'chat_parts',
  ])
    expect([table, counts.get(table)]).toEqual([table, 1])
  for (const table of [
    'stories',
    'user_memories',
    'memory_events',
    'feedback',
    'drafts',
    'sign_in_codes',
    'one_time_secrets',
    'oauth_tallies',
  ])
    expect(counts.get(table), table).toBeGreaterThan(0)
  expect(counts.get('chat_readers')).toBe(2)
  expect(proof.documents_withdrawn).toMatchObject([{ project: ALDER, texts: 1 }])
  expect(proof.left.map(({ what, table }: any) => `${what} ${table}`)).toEqual([
    'id audit_log',
    'id record_events',
    'email record_texts',
    'name record_texts',
  ])
  expect(proof.left.every(({ why }: any) => why.length > 10)).toBe(true)
  expect(proof).toMatchObject({
    audit_log_holds_the_id_until: '2027-05-01T10:00:00.000Z',
    backups_hold_it_until: '2026-05-31T10:00:00.000Z',
  })
  expect(JSON.stringify(proof)).not.toMatch(/ada@example|Ada Alder/)
  const { sha256, ...said } = proof
  expect(sha256).toBe(createHash('sha256').update(JSON.stringify(said)).digest('hex'))

  // Searched independently of the proof.
  const after = await everyRow(database)
  const holding = (text: string) =>
    Object.entries(after).flatMap(([table, rows]) => (rows.some((row) => row.includes(text)) ? [table] : []))
  expect(holding(ADA)).toEqual(['audit_log', 'record_events'])
  expect(holding('ada@example.com')).toEqual(['record_texts'])
  // Rows of readers listed Ada as a reader; all other rows of others are unchanged.
  const left = Object.entries(after).map(([table, rows]) => [table, rows.filter((row) => row.includes('birch')).length])
  const changed = left.filter(([table, rows], nth) => others[nth]![0] === table && others[nth]![1] !== rows)
  expect(changed.map(([table]) => table)).toEqual(['chat_readers', 'story_readers'])

  for (const named of [ADA, 'ada@example.com']) {
    const gone = await personNamed(database, { named, organisation: undefined })
    const again = (await forgetPerson(database, { named, person: gone, days: 30, at })) as any
    expect(again).toMatchObject({ removed: [], documents_withdrawn: [], removed_after: [] })
    expect(again.left.map(({ table }: any) => table)).toEqual(
      named === ADA ? ['audit_log', 'record_events'] : ['record_texts'],
    )
  }
})

test('the last admin of an organisation is not forgotten', async () => {
  const id = tenantId('birch', 'person')
  await database.transaction('server', (sql) =>
    sql.query("UPDATE ken.people SET role = 'admin', left_at = NULL WHERE id = $1", [id]),
  )
  const person = await personNamed(database, { named: id, organisation: undefined })
  await expect(forgetPerson(database, { named: id, person, days: 30, at })).rejects.toMatchObject({ code: 'conflict' })
})
