import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { openAuditLog } from '../src/team/adapters/postgres-audit-log.ts'
import { openRetention } from '../src/team/adapters/postgres-retention.ts'
import { openAuditTrail } from '../src/team/audit-trail.ts'
import type { AuditEntry } from '../src/team/domain/audit-entry.ts'
import type { AuditLog } from '../src/team/ports/audit-log.ts'
import { openNewDatabase } from './postgres/run-server.ts'

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
  database = await openNewDatabase()
  log = openAuditLog(database)
})
afterAll(() => database?.close())

describe('the audit log', () => {
  test('is read newest first, in pages, filtered by any field', async () => {
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
    expect(await read({ outcome: 'failed' })).toEqual([second])
    expect(await read({ outcome: 'ok' })).toEqual([third, first])
    const page = await log.read({ organisation: 'reading', limit: 2 })
    expect(await read({ before: page.at(-1)!.place })).toEqual([first])
  })

  test('omits reads by pages of the app, and nothing else, if requested', async () => {
    const kinds = [
      { surface: 'app', effect: 'read' },
      { surface: 'app', effect: 'write' },
      { surface: 'http', effect: 'read' },
    ] as const
    await log.write(kinds.map((kind) => entry({ organisation: 'pages', ...kind })))
    const read = async (without_page_reads: boolean) =>
      (await log.read({ organisation: 'pages', limit: 10, without_page_reads })).map(({ surface, effect }) => ({
        surface,
        effect,
      }))
    expect(await read(true)).toEqual([kinds[2], kinds[1]])
    expect(await read(false)).toEqual(kinds.toReversed())
  })

  test('accepts any client name', async () => {
    const names = ['\ud83d', `${'a'.repeat(99)}\ud83d`, 'a\0b', '\udc00\ud83d\ude00']
    await log.write(names.map((client) => entry({ organisation: 'names', client })))
    const read = await log.read({ organisation: 'names', limit: 10 })
    expect(read.map(({ client }) => client)).toEqual(['\ufffd😀', 'ab', `${'a'.repeat(99)}\ufffd`, '\ufffd'])
  })

  test('allows no update, delete or truncate', async () => {
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
    // Even retention deletes nothing younger than a month.
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

  test('deletes entries older than their retention', async () => {
    const old = [31, 60, 90, 400].map((days) => entry({ organisation: 'trimmed', at: daysAgo(days) }))
    await log.write([...old, entry({ organisation: 'trimmed' })])
    const count = async () => (await log.read({ organisation: 'trimmed', limit: 10 })).length
    expect(await log.trim(daysAgo(75))).toBeGreaterThanOrEqual(2)
    expect(await count()).toBe(3)
    await log.trim(daysAgo(0))
    expect(await count()).toBe(1)
  })
})

describe('retention', () => {
  test('deletes data past the retention of its organisation or of the server, and nothing else', async () => {
    const retention = openRetention(database)
    await database.transaction('server', async (sql) => {
      for (const organisation of ['short', 'usual']) {
        await sql.query('INSERT INTO ken.organisations VALUES ($1, $1, now())', [organisation])
        await sql.query('INSERT INTO ken.projects VALUES ($1, $1, $1, now())', [organisation])
        await sql.query(
          `INSERT INTO ken.people VALUES ($1, $1, $1, $1, 'admin', now()), ($1 || 2, $1, $1 || 2, $1, 'admin', now())`,
          [organisation],
        )
        for (const [id, starred, days, deleted] of [
          ['new', false, 1, null],
          ['old', false, 100, null],
          ['starred', true, 100, null],
          ['deleted', false, 10, 10],
        ] as const)
          await sql.query(
            `INSERT INTO ken.chats (id, project, person, folder, title, folded_title, starred, created_at, updated_at, deleted_at)
             VALUES ($2, $1, $1, '/', '', '', $3, $4, $4, $5)`,
            [organisation, id, starred, daysAgo(days), deleted && daysAgo(deleted)],
          )
        for (const [id, ended] of [
          ['over', daysAgo(91)],
          ['late', daysAgo(80)],
        ] as const)
          await sql.query(
            `INSERT INTO ken.tokens (id, person, kind, name, hash, scopes, created_at, expires_at)
             VALUES ($1 || $2, $1, 'agent', '', $1 || $2, '[]', $3, $3)`,
            [organisation, id, ended],
          )
        for (const [id, used] of [
          ['idle', daysAgo(31)],
          ['used', daysAgo(1)],
        ] as const)
          await sql.query(
            `INSERT INTO ken.browser_sessions VALUES ($1 || $2, $1, $1 || $2, NULL, 'code', $3, $3, now() + interval '9 days')`,
            [organisation, id, used],
          )
        await sql.query(
          `INSERT INTO ken.jobs (project, id, kind, payload, put_at, due_at, laid_aside_at)
           VALUES ($1, 'aside', 'embedding', '', $2, $2, $2), ($1, 'waits', 'embedding', '', $2, $2, NULL)`,
          [organisation, daysAgo(31)],
        )
      }
    })
    await retention.set('short', { auditDays: 60, deletedDays: 7, chatDays: 90 }, daysAgo(0))
    for (const organisation of ['short', 'usual', ''])
      await log.write([20, 70, 400].map((days) => entry({ organisation, at: daysAgo(days), operation: 'kept' })))
    const gone = await retention.enforce(new Date())
    expect(gone).toMatchObject({ audit_log: 4, old_chats: 1, deleted_chats: 1, tokens: 2, sessions: 2, jobs: 2 })
    const left = async (organisation: string) => (await log.read({ organisation, operation: 'kept', limit: 9 })).length
    expect([await left('short'), await left('usual'), await left('')]).toEqual([1, 2, 2])
    const chats = await database.transaction('server', (sql) =>
      sql.query<{ place: string; days: number | null }>(
        `SELECT project || ' ' || id AS place, round(extract(epoch FROM now() - deleted_at) / 86400)::int AS days
         FROM ken.chats WHERE deleted_at IS NOT NULL ORDER BY 1`,
      ),
    )
    // Chat upkeep purges the chats that were deleted 30 days ago.
    expect(chats).toEqual([
      { place: 'short deleted', days: 30 },
      { place: 'short old', days: 0 },
      { place: 'usual deleted', days: 10 },
    ])
    expect(await retention.enforce(new Date())).toEqual({})
  })
})

describe('the audit trail', () => {
  const recording = () => {
    const written: AuditEntry[] = []
    let isAway = false
    const write = async (entries: readonly AuditEntry[]): Promise<void> => {
      if (isAway) throw new Error('away')
      written.push(...entries)
    }
    return { written, write, away: (now: boolean) => (isAway = now) }
  }

  test('writes a change or a refusal, with earlier entries, before the caller has an answer', async () => {
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

  test('keeps its order and loses nothing during a short database outage', async () => {
    const { written, write, away } = recording()
    const trail = openAuditTrail({ write })
    away(true)
    for (let nth = 0; nth < 700; nth++) await trail.tell(entry({ operation: `op${nth}`, effect: 'write' }))
    expect([written.length, trail.lost()]).toEqual([0, 0])
    away(false)
    await trail.close()
    expect(written.map(({ operation }) => operation)).toEqual(Array.from({ length: 700 }, (_, nth) => `op${nth}`))
  })

  test('counts lost entries', async () => {
    const { write, away } = recording()
    const trail = openAuditTrail({ write })
    away(true)
    for (let nth = 0; nth < 10_200; nth++) await trail.tell(entry())
    expect(trail.lost()).toBe(200)
    await trail.close()
    expect(trail.lost()).toBe(10_200)
  })
})
