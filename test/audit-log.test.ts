import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAuditLog } from '../src/adapters/audit-log/postgres/index.ts'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
import type { AuditEntry } from '../src/core/team/audit-entry.ts'
import type { AuditLog } from '../src/ports/audit-log.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { openAuditTrail } from '../src/team/audit-trail.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  at: daysAgo(1),
  organisation: 'acme',
  person: 'ada',
  through: 'token',
  held: 'token-1',
  operation: 'check_decision',
  effect: 'read',
  project: 'shop',
  subject: undefined,
  outcome: 'ok',
  surface: 'http',
  client: undefined,
  source: '192.0.2.7',
  ...more,
})

let database: SqlDatabase
let log: AuditLog
beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date() } })
  log = openAuditLog(database)
})
afterAll(() => database?.close())

describe('the audit log', () => {
  test('is read the newest first, in pages, by whatever an entry says', async () => {
    const entries = [
      entry({ organisation: 'reading', person: 'ada', at: daysAgo(3) }),
      entry({ organisation: 'reading', person: 'grace', at: daysAgo(2), project: undefined, outcome: 'forbidden' }),
      entry({ organisation: 'reading', person: 'ada', at: daysAgo(1), operation: 'propose_decision', effect: 'write' }),
    ]
    await log.write(entries)
    const read = async (more: object) => {
      const found = await log.read({ organisation: 'reading', limit: 10, ...more })
      return found.map(({ place: _place, ...rest }) => rest)
    }
    const [first, second, third] = entries
    expect(await read({})).toEqual([third, second, first])
    expect(await read({ person: 'grace' })).toEqual([second])
    expect(await read({ outcome: 'forbidden' })).toEqual([second])
    expect(await read({ operation: 'propose_decision' })).toEqual([third])
    expect(await read({ project: 'shop' })).toEqual([third, first])
    expect(await read({ since: second!.at })).toEqual([third, second])
    expect(await read({ until: second!.at })).toEqual([first])
    expect(await log.read({ organisation: 'nobody', limit: 10 })).toEqual([])
    const page = await log.read({ organisation: 'reading', limit: 2 })
    expect(await read({ before: page.at(-1)!.place })).toEqual([first])
  })

  test('lets nobody change an entry, take one away or empty it', async () => {
    await log.write([entry({ organisation: 'kept' }), entry({ organisation: 'kept', at: daysAgo(400) })])
    const before = await log.read({ organisation: 'kept', limit: 10 })
    for (const statement of [
      "UPDATE ken.audit_log SET outcome = 'ok'",
      'DELETE FROM ken.audit_log',
      "DELETE FROM ken.audit_log WHERE at < now() - interval '300 days'",
      'TRUNCATE ken.audit_log',
    ])
      await expect(
        database.transaction('server', (sql) => sql.query(statement)),
        statement,
      ).rejects.toThrow('only added to')
    // Retention itself reaches nothing that is younger than a month.
    const young = database.transaction('server', async (sql) => {
      await sql.query("SELECT set_config('ken.audit_before', (now() + interval '1 day')::text, true)")
      await sql.query("DELETE FROM ken.audit_log WHERE organisation = 'kept'")
    })
    await expect(young).rejects.toThrow('only added to')
    for (const scope of [{ project: 'shop' }, { person: 'ada' }])
      await expect(database.transaction(scope, (sql) => sql.query('SELECT FROM ken.audit_log'))).rejects.toThrow(
        'permission denied',
      )
    expect(await log.read({ organisation: 'kept', limit: 10 })).toEqual(before)
  })

  test('gives up what is older than it is to be kept', async () => {
    const old = [31, 60, 90, 400].map((days) => entry({ organisation: 'trimmed', at: daysAgo(days) }))
    await log.write([...old, entry({ organisation: 'trimmed' })])
    const count = async () => (await log.read({ organisation: 'trimmed', limit: 10 })).length
    expect(await log.trim(daysAgo(75))).toBeGreaterThanOrEqual(2)
    expect(await count()).toBe(3)
    await log.trim(daysAgo(0))
    expect(await count()).toBe(1)
  })
})

describe('the trail to it', () => {
  const recording = () => {
    const written: AuditEntry[] = []
    let isAway = false
    const write = async (entries: readonly AuditEntry[]): Promise<void> => {
      if (isAway) throw new Error('away')
      written.push(...entries)
    }
    return { written, write, away: (now: boolean) => (isAway = now) }
  }

  test('has a change and a refusal in the log before the caller has an answer, and what came before them', async () => {
    const { written, write } = recording()
    const trail = openAuditTrail({ write })
    await trail.tell(entry())
    expect(written).toEqual([])
    await trail.tell(entry({ effect: 'write' }))
    expect(written.map(({ effect }) => effect)).toEqual(['read', 'write'])
    await trail.tell(entry({ outcome: 'forbidden' }))
    expect(written.length).toBe(3)
    await trail.tell(entry())
    await trail.close()
    expect(written.length).toBe(4)
  })

  test('keeps its order and loses nothing while the database is away for a moment', async () => {
    const { written, write, away } = recording()
    const trail = openAuditTrail({ write })
    away(true)
    for (let nth = 0; nth < 700; nth++) await trail.tell(entry({ operation: `op${nth}`, effect: 'write' }))
    expect([written.length, trail.lost()]).toEqual([0, 0])
    away(false)
    await trail.close()
    expect(written.map(({ operation }) => operation)).toEqual(Array.from({ length: 700 }, (_, nth) => `op${nth}`))
  })

  test('counts what it could not keep', async () => {
    const { write, away } = recording()
    const trail = openAuditTrail({ write })
    away(true)
    for (let nth = 0; nth < 10_200; nth++) await trail.tell(entry())
    expect(trail.lost()).toBe(200)
    await trail.close()
    expect(trail.lost()).toBe(10_200)
  })
})
