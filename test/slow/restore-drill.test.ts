import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { MIGRATIONS } from '../../src/database/schema/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { KEN } from '../ken-program.ts'
import { everyRow } from '../postgres/every-row.ts'
import { fillTables, readTables } from '../postgres/fill-tables.ts'
import { startPostgres, type PostgresServer } from '../postgres/server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-drill-'))
const run = promisify(execFile)
let postgres: PostgresServer
let owner: Owner
const closing: (() => Promise<unknown>)[] = []

const urlOf = (database: string): string => `postgres://${postgres.user}@${postgres.host}:${postgres.port}/${database}`
const ken = (database: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [KEN, 'server', ...words], { env: { ...process.env, ...env, DATABASE_URL: urlOf(database) } })
const openNamed = async (name: string): Promise<SqlDatabase> => {
  await owner.exec(`CREATE DATABASE ${name}`)
  const database = await openPostgresDatabase({ url: urlOf(name) })
  closing.unshift(() => database.close())
  return database
}
async function serve(name: string): Promise<TeamServer> {
  const team = await openTeam({ databaseUrl: urlOf(name), clock: systemClock, embedder: async () => undefined })
  const server = await serveTeam(team, {
    publicUrl: 'http://127.0.0.1',
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
  closing.unshift(async () => {
    await server.close()
    await team.close()
  })
  return server
}
/** Sets the host header by hand: the server's origin has no port, and node would send the port of the URL. */
async function call(server: TeamServer, token: string, name: string, input: object = {}): Promise<any> {
  const { hostname, port } = new URL(server.url)
  return new Promise((done, failed) => {
    const headers = { host: '127.0.0.1', 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const asked = request({ hostname, port, path: `/v1/${name}`, method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk)).on('end', () => done(JSON.parse(text)))
    })
    asked.on('error', failed).end(JSON.stringify(input))
  })
}
const decision = (nth: number) => ({
  title: `Choice number ${nth} about ${['billing', 'search', 'deploys', 'logging'][nth % 4]} part ${nth}`,
  rationale: `Reason ${nth} that no other one has: ${'abcdefghij'[nth % 10]!.repeat(20)} ${nth * 7_919}.`,
})

beforeAll(async () => {
  postgres = await startPostgres()
  owner = ownPostgres({ host: postgres.host, port: postgres.port, user: postgres.user, database: postgres.database })
})
afterAll(async () => {
  for (const close of closing) await close()
  await owner?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true })
})

test('writes acknowledged before a backup are in the restored server, while the old one keeps writing', async () => {
  const source = await openNamed('source')
  const { stdout } = await ken('source', [
    'setup',
    '--organisation',
    'A',
    '--email',
    'a@b.example',
    '--project',
    'shop',
  ])
  const [, token = ''] = /(ken_p_\w+)/.exec(stdout) ?? []
  const server = await serve('source')
  await source.transaction('server', async (sql) => {
    await fillTables(sql, await readTables(sql), 'alder')
    await sql.query("DELETE FROM ken.records WHERE project LIKE 'alder%'")
    // The server purges chats that were deleted long ago.
    await sql.query('UPDATE ken.chats SET deleted_at = NULL')
  })
  for (let nth = 1; nth <= 10; nth++) await call(server, token, 'propose_decision', decision(nth))
  const before = await call(server, token, 'list_decisions', { limit: 100 })
  // Including the decision that every record starts with.
  expect(before.decisions.length).toBe(11)

  let isDone = false
  const writing = (async () => {
    let nth = 11
    for (; !isDone; nth++) await call(server, token, 'propose_decision', decision(nth))
    return nth - 1
  })()
  const path = join(folder, 'drill.backup')
  await ken('source', ['backup', path])
  isDone = true
  const written = await writing
  expect(written).toBeGreaterThan(11)

  const target = await openNamed('target')
  const restored = await ken('target', ['restore', path])
  expect(restored.stdout).toContain('1 record verified')
  const again = await serve('target')
  const after = await call(again, token, 'list_decisions', { limit: 100 })
  expect(after.decisions.filter(({ number }: { number: number }) => number <= 11)).toEqual(before.decisions)
  expect(after.decisions.length).toBeLessThanOrEqual(written + 1)
  for (const [name, input] of [
    ['get_decision', { number: 3 }],
    ['list_projects', {}],
  ] as const)
    expect(await call(again, token, name, input), name).toEqual(await call(server, token, name, input))
  const next = await call(again, token, 'propose_decision', decision(9_999))
  expect(JSON.stringify(next)).toContain(`D${String(after.decisions.length + 1).padStart(3, '0')}`)

  const empty = Object.entries(await everyRow(target)).filter(([, rows]) => rows.length === 0)
  expect(empty, 'a table that the drill has no row of').toEqual([])
})

test('a restored database has the same rows, byte for byte', async () => {
  const source = await openNamed('still')
  await migrate(source, { clock: systemClock })
  await source.transaction('server', async (sql) => {
    const tables = await readTables(sql)
    for (const tag of ['alder', 'birch', 'cedar']) await fillTables(sql, tables, tag)
    await sql.query('DELETE FROM ken.records')
  })
  const path = join(folder, 'still.backup')
  await ken('still', ['backup', path])
  const target = await openNamed('stilltwo')
  await ken('stilltwo', ['restore', path])
  expect(await everyRow(target)).toEqual(await everyRow(source))
})

test('truncated, changed or foreign files leave an empty database empty', async () => {
  await openNamed('refusing')
  const target = await openPostgresDatabase({ url: urlOf('refusing') })
  closing.unshift(() => target.close())
  const bytes = readFileSync(join(folder, 'still.backup'))
  const changed = Buffer.from(bytes)
  changed[bytes.length >> 1]! ^= 1
  for (const [name, given] of Object.entries({
    cut: bytes.subarray(0, bytes.length - 1_000),
    changed,
    foreign: Buffer.from('-- PostgreSQL database dump\n'),
  })) {
    const path = join(folder, name)
    writeFileSync(path, given)
    await expect(ken('refusing', ['restore', path]), name).rejects.toMatchObject({ code: name === 'foreign' ? 2 : 6 })
  }
  const left = await target.transaction('server', (sql) => sql.query("SELECT FROM pg_namespace WHERE nspname = 'ken'"))
  expect(left).toEqual([])
  await expect(ken('still', ['restore', join(folder, 'still.backup')])).rejects.toMatchObject({ code: 4 })
})

// The migration tests cover every step between.
test.each([2, MIGRATIONS.length - 1])('a backup of schema %i becomes a database of this version', async (number) => {
  const old = await openNamed(`old${number}`)
  await migrate(old, { clock: systemClock, upTo: number })
  await old.transaction('server', async (sql) => {
    await fillTables(sql, await readTables(sql), 'alder')
    await sql.query('DELETE FROM ken.records')
  })
  const path = join(folder, `old${number}.backup`)
  await ken(`old${number}`, ['backup', path])
  const target = await openNamed(`new${number}`)
  await ken(`new${number}`, ['restore', path])
  await migrate(old, { clock: systemClock })
  expect(await everyRow(target)).toEqual(await everyRow(old))
})

test('a table larger than the memory limit of the process is backed up and restored', async () => {
  const source = await openNamed('large')
  await migrate(source, { clock: systemClock })
  await source.transaction('server', (sql) =>
    sql.query(
      `INSERT INTO ken.facts (project, key, value)
       SELECT 'p', n::text, repeat(md5(n::text), 250) FROM generate_series(1, 12000) n`,
    ),
  )
  const path = join(folder, 'large.backup')
  const env = { NODE_OPTIONS: '--max-old-space-size=64' }
  await ken('large', ['backup', path], env)
  const target = await openNamed('largetwo')
  await ken('largetwo', ['restore', path], env)
  const sums = (database: SqlDatabase) =>
    database.transaction('server', (sql) =>
      sql.query("SELECT count(*) AS count, md5(string_agg(md5(value), '' ORDER BY key)) AS sum FROM ken.facts"),
    )
  expect(await sums(target)).toEqual(await sums(source))
})
