import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetProject } from '../src/app/team/forget-command.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { everyRow } from './postgres/every-row.ts'
import { fillTables, readTables, tenantId } from './postgres/fill-tables.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const at = new Date('2026-05-01T10:00:00Z')
const [ALDER, BIRCH] = [tenantId('alder', 'project'), tenantId('birch', 'project')]
let database: SqlDatabase
beforeAll(async () => {
  database = await openNewDatabase()
  await migrate(database, { clock: { now: () => at } })
  await database.transaction('server', async (sql) => {
    const tables = await readTables(sql)
    for (const tag of ['alder', 'birch']) await fillTables(sql, tables, tag)
    for (const table of ['tokens', 'oauth_grants'])
      await sql.query(`UPDATE ken.${table} SET projects = $1::text::jsonb`, [JSON.stringify([ALDER, BIRCH])])
  })
})
afterAll(() => database?.close())

/** Tables that contain a text anywhere, with the number of rows. */
const mentions = async (text: string): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    Object.entries(await everyRow(database))
      .map(([table, rows]) => [table, rows.filter((row) => row.includes(text)).length] as const)
      .filter(([, count]) => count > 0),
  )

test('a forgotten project remains only in the audit log, and the proof names every row', async () => {
  const [before, others] = [await mentions(ALDER), await mentions(BIRCH)]
  expect(Object.keys(before).length).toBeGreaterThan(25)
  const proof = (await forgetProject(database, { project: ALDER, days: 30, at })) as any
  // The earlier entry, and the forgetting itself.
  expect(await mentions(ALDER)).toEqual({ audit_log: 2 })
  expect(await mentions(BIRCH)).toEqual(others)

  // Token lists are changed, everything else is removed.
  const { audit_log: _kept, tokens: _tokens, oauth_grants: _grants, ...gone } = before
  const removed = proof.removed as { table: string; rows: number; fingerprint: string }[]
  expect(Object.fromEntries(removed.map(({ table, rows }) => [table, rows]))).toEqual(gone)
  expect(removed.every(({ fingerprint }) => /^-?\d+$/.test(fingerprint))).toBe(true)
  expect(proof).toMatchObject({ kept: { audit_log: 1 }, backups_hold_it_until: '2026-05-31T10:00:00.000Z' })
  const { sha256, ...said } = proof
  expect(sha256).toBe(createHash('sha256').update(JSON.stringify(said)).digest('hex'))
})

test('an unknown or already forgotten project is refused', async () => {
  for (const project of [ALDER, 'none'])
    await expect(forgetProject(database, { project, days: 30, at })).rejects.toMatchObject({ code: 'not_found' })
})

test('every column that names a project is covered by forgetting', async () => {
  const found = await database.transaction('server', (sql) =>
    sql.query<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'ken' AND column_name LIKE '%project%' AND column_name <> 'project' ORDER BY 1`,
    ),
  )
  expect(found.map(({ place }) => place)).toEqual(['oauth_grants.projects', 'tokens.projects'])
})
