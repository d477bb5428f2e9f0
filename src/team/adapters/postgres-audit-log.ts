import type { SqlDatabase, SqlValue } from '../../kernel/ports/sql-database.ts'
import type { AuditFilter, KeptAuditEntry } from '../domain/audit-entry.ts'
import type { AuditLog } from '../ports/audit-log.ts'

const COLUMNS =
  'at, organisation, person, through, held, operation, effect, project, subject, outcome, surface, client, source'

type Row = { readonly [K in keyof KeptAuditEntry]: Exclude<KeptAuditEntry[K], undefined> | null }

/** Rows of `ken.audit_log`, which database triggers keep immutable. */
export const openAuditLog = (database: SqlDatabase): AuditLog => ({
  async write(entries) {
    await database.batch('server', [
      {
        text: `INSERT INTO ken.audit_log (${COLUMNS}) SELECT ${COLUMNS} FROM jsonb_to_recordset($1::text::jsonb) AS r(at timestamptz,
           organisation text, person text, through text, held text, operation text, effect text, project text, subject text, outcome text,
           surface text, client text, source text)`,
        values: [JSON.stringify(entries, asStorable)],
      },
    ])
  },
  read: (filter) =>
    database.transaction('server', async (sql) => {
      const { where, values } = conditions(filter)
      const rows = await sql.query<Row>(
        `SELECT place, ${COLUMNS} FROM ken.audit_log ${where} ORDER BY place DESC LIMIT ${Math.trunc(filter.limit)}`,
        values,
      )
      return rows.map(
        (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as never,
      )
    }),
  trim: (before, organisation) =>
    database.transaction('server', async (sql) => {
      await sql.query("SELECT set_config('ken.audit_before', $1, true), set_config('statement_timeout', '0', true)", [
        before,
      ])
      const gone = await sql.query<{ entries: number }>(
        `WITH gone AS (
           DELETE FROM ken.audit_log WHERE at < $1::timestamptz AND at < now() - interval '30 days'
             AND ($2::text IS NULL OR organisation = $2) RETURNING 1
         ) SELECT count(*) AS entries FROM gone`,
        [before, organisation ?? null],
      )
      return gone[0]!.entries
    }),
})

/**
 * A program's name may contain a lone surrogate or NUL, which database JSON cannot store: one such entry would block
 * all others of its batch, at every retry.
 */
const asStorable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

const TESTS: Readonly<Record<Exclude<keyof AuditFilter, 'limit'>, string>> = {
  organisation: 'organisation = ?',
  person: '(person = ? OR subject = ?)',
  project: 'project = ?',
  agent: '(held = ? OR client = ?)',
  operation: 'operation = ?',
  outcome: "(outcome = ? OR (? = 'failed' AND outcome <> 'ok'))",
  without_page_reads: "(NOT ?::boolean OR surface <> 'app' OR effect <> 'read')",
  since: 'at >= ?',
  until: 'at < ?',
  before: 'place < ?',
}

function conditions(filter: AuditFilter): { readonly where: string; readonly values: readonly SqlValue[] } {
  const asked = Object.entries(TESTS).flatMap(([name, test]) => {
    const value = filter[name as keyof AuditFilter]
    return value === undefined ? [] : [{ test, value }]
  })
  const tests = asked.map(({ test }, at) => test.replaceAll('?', `$${at + 1}`))
  return { where: tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`, values: asked.map(({ value }) => value) }
}
