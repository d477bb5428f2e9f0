import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineMissing, openEngine, type OpenEngine } from '../sql-engines.ts'
import { judgeScopeCorpus, PLANTED, readStatements, scopeOf } from '../sql-scope.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(['postgres', 'mysql'] as const)('%s', (engine) => {
  const missing = engineMissing(engine)
  if (missing) console.warn(`${engine} left out: ${missing}`)

  describe.skipIf(missing)('with a server', () => {
    let opened: OpenEngine
    beforeAll(async () => {
      opened = await openEngine(engine, folder)
    }, 120_000)
    afterAll(() => opened?.close())

    test.each(['first', 'held'] as const)(
      'no attack of the %s half leaks anything, and every read runs',
      async (half) => {
        expect(await judgeScopeCorpus(opened.warehouse, half)).toMatchObject({
          falseAllows: [],
          falseRefusals: [],
          changed: false,
        })
      },
      300_000,
    )

    test('the role that ken debug suggests protects hidden columns and other tables even without the gate', async () => {
      const { dialect, quote } = opened.warehouse
      const role = dialect.role({ tables: await scopeOf(opened.warehouse), quote })
      if (!('sql' in role)) throw new Error(role.instead)
      for (const sql of role.sql) await opened.owner!.exec(sql.replace("'…'", "'a-password'"))
      const reader = await opened.as!('ken_reader', 'a-password')
      try {
        const limits = { rows: 50, bytes: 100_000, milliseconds: 10_000 }
        expect((await reader.query('SELECT id, email FROM users', limits)).rows).toHaveLength(25)
        const leaks: string[] = []
        for (const { sql } of readStatements('attacks', 'first', engine)) {
          const told = await reader.query(sql, limits).then(
            ({ rows }) =>
              JSON.stringify(rows, (_key, cell: unknown) => (typeof cell === 'bigint' ? String(cell) : cell)),
            () => '',
          )
          if (PLANTED.test(told)) leaks.push(sql)
        }
        // PostgreSQL's catalogue, including comments, is readable by every role.
        expect(leaks).toEqual(engine === 'postgres' ? ["SELECT obj_description('secrets'::regclass)"] : [])
      } finally {
        await reader.close()
      }
    }, 300_000)
  })
})
