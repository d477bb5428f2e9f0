import type { SqlDatabase, SqlValue } from '../../kernel/ports/sql-database.ts'
import { LEAST_AUDIT_DAYS, MOST_DELETED_DAYS, SERVER_RETENTION, USUAL_RETENTION } from '../domain/retention.ts'
import type { RetentionRules } from '../ports/retention.ts'

interface RetentionRow {
  readonly audit_days: number
  readonly deleted_days: number
  readonly chat_days: number | null
}

/** Rows of `ken.retention`, and statements that delete older data, some thousand rows at a time. */
export const openRetention = (database: SqlDatabase): RetentionRules => ({
  async of(organisation) {
    const [row] = await database.transaction('server', (sql) =>
      sql.query<RetentionRow>('SELECT audit_days, deleted_days, chat_days FROM ken.retention WHERE organisation = $1', [
        organisation,
      ]),
    )
    if (row === undefined) return USUAL_RETENTION
    return { auditDays: row.audit_days, deletedDays: row.deleted_days, chatDays: row.chat_days ?? undefined }
  },
  set: (organisation, { auditDays, deletedDays, chatDays }, at) =>
    database.transaction('server', async (sql) => {
      await sql.query(
        `INSERT INTO ken.retention (organisation, audit_days, deleted_days, chat_days, changed_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organisation) DO UPDATE SET audit_days = excluded.audit_days,
           deleted_days = excluded.deleted_days, chat_days = excluded.chat_days, changed_at = excluded.changed_at`,
        [organisation, auditDays, deletedDays, chatDays ?? null, at],
      )
    }),
  async enforce(now) {
    const gone: Record<string, number> = {}
    for (const { kind, statement, days } of RULES) {
      const values: SqlValue[] = [now.toISOString(), days]
      // Deletes in batches, so that locks are short.
      for (let rows = AT_ONCE; rows === AT_ONCE;) {
        rows = await database.transaction('server', async (sql) => {
          await sql.query("SELECT set_config('ken.audit_before', $1, true)", [now.toISOString()])
          return (await sql.query(statement, values)).length
        })
        if (rows > 0) gone[kind] = (gone[kind] ?? 0) + rows
      }
    }
    return gone
  },
})

const AT_ONCE = 5_000

/** In `statement`, `$1` is now and `$2` the number of days. */
interface Rule {
  readonly kind: string
  readonly statement: string
  readonly days: number
}

const ago = (days: string): string => `$1::timestamptz - ${days} * interval '1 day'`

const older = (table: string, key: string, time: string): string =>
  `DELETE FROM ken.${table} WHERE ${key} IN (
     SELECT ${key.replaceAll(/[()]/g, '')} FROM ken.${table} WHERE ${time} < ${ago('$2::int')} LIMIT ${AT_ONCE}) RETURNING 1`

/** Statement for the chats of organisations: `days` is the column of their setting, or the default number. */
const chats = (change: string, condition: string): string =>
  `UPDATE ken.chats c SET ${change} FROM ken.projects p LEFT JOIN ken.retention r USING (organisation)
   WHERE p.id = c.project AND ${condition} AND (c.id, c.project, c.person) IN (
     SELECT c.id, c.project, c.person FROM ken.chats c JOIN ken.projects p ON p.id = c.project
       LEFT JOIN ken.retention r USING (organisation) WHERE ${condition} LIMIT ${AT_ONCE})
   RETURNING 1`

const RULES: readonly Rule[] = [
  {
    kind: 'audit_log',
    days: USUAL_RETENTION.auditDays,
    statement: `DELETE FROM ken.audit_log WHERE place IN (
      SELECT a.place FROM ken.audit_log a LEFT JOIN ken.retention r ON r.organisation = a.organisation
      WHERE a.at < least(now(), $1::timestamptz) - interval '${LEAST_AUDIT_DAYS} days'
        AND a.at < ${ago('coalesce(r.audit_days, $2::int)')} LIMIT ${AT_ONCE}) RETURNING 1`,
  },
  {
    kind: 'old_chats',
    days: 0,
    // Deleted as if by a person, so that the chat can be restored for just as long.
    statement: chats(
      'deleted_at = $1::timestamptz',
      `$2 = 0 AND c.deleted_at IS NULL AND NOT c.starred AND c.updated_at < ${ago('r.chat_days')}`,
    ),
  },
  {
    kind: 'deleted_chats',
    days: MOST_DELETED_DAYS,
    // The upkeep of chats then removes them with everything that belongs to them.
    statement: chats(
      `deleted_at = ${ago('$2::int')} - interval '1 second'`,
      `c.deleted_at >= ${ago('$2::int')} AND c.deleted_at < ${ago('r.deleted_days')}`,
    ),
  },
  {
    kind: 'sessions',
    days: SERVER_RETENTION.sessions,
    statement: older('browser_sessions', 'id', 'least(ends_at, used_at)'),
  },
  {
    kind: 'tokens',
    days: SERVER_RETENTION.tokens,
    statement: older('tokens', 'id', 'least(expires_at, revoked_at)'),
  },
  {
    kind: 'invitations',
    days: SERVER_RETENTION.invitations,
    statement: older('invitations', 'id', 'expires_at'),
  },
  { kind: 'jobs', days: SERVER_RETENTION.jobs, statement: older('jobs', '(project, id)', 'laid_aside_at') },
  { kind: 'codes', days: 1, statement: older('sign_in_codes', 'hash', 'expires_at') },
  { kind: 'secrets', days: 1, statement: older('one_time_secrets', 'hash', 'expires_at') },
  { kind: 'attempts', days: 1, statement: older('attempts', '(bucket, span)', 'span') },
]
