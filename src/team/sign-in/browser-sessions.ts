import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { BrowserSession, SessionHolder } from '../domain/browser-session.ts'
import type { BrowserSessions } from '../ports/sign-in.ts'

type Row = Omit<BrowserSession, 'browser'> & { readonly browser: string | null }

const COLUMNS = `id, person, browser, proof, entered_at AS "enteredAt", used_at AS "usedAt", ends_at AS "endsAt"`
const MOST = 50

export function openBrowserSessions(database: SqlDatabase): BrowserSessions {
  return {
    open: ({ id, person, browser, proof, enteredAt, usedAt, endsAt }, hash) =>
      database.transaction('server', async (sql) => {
        const there = await sql.query('SELECT 1 FROM ken.people WHERE id = $1 AND left_at IS NULL FOR UPDATE', [person])
        if (there.length === 0) throw new AppError('not_found', 'Person not found.')
        await sql.query(
          `DELETE FROM ken.browser_sessions WHERE id IN (
             SELECT id FROM ken.browser_sessions WHERE person = $1 ORDER BY used_at DESC, id DESC OFFSET $2)`,
          [person, MOST - 1],
        )
        await sql.query(
          `INSERT INTO ken.browser_sessions (id, person, hash, browser, proof, entered_at, used_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, person, hash, browser ?? null, proof, enteredAt, usedAt, endsAt],
        )
      }),
    async use(hash, { now, idleSince }) {
      const [row] = await database.transaction('server', (sql) =>
        sql.query<SessionHolder>(
          `WITH found AS (
             SELECT s.id, s.person, p.organisation, p.role
             FROM ken.browser_sessions s JOIN ken.people p ON p.id = s.person
             WHERE s.hash = $1 AND s.ends_at > $2 AND s.used_at >= $3 AND p.left_at IS NULL
           ), noted AS (
             UPDATE ken.browser_sessions SET used_at = $2 WHERE id = (SELECT id FROM found)
             AND used_at <= $2::timestamptz - interval '1 minute'
           ) SELECT * FROM found`,
          [hash, now, idleSince],
        ),
      )
      return row
    },
    async list(person, { now, idleSince }) {
      const rows = await database.transaction('server', (sql) =>
        sql.query<Row>(
          `SELECT ${COLUMNS} FROM ken.browser_sessions WHERE person = $1 AND ends_at > $2 AND used_at >= $3
           ORDER BY used_at DESC, id DESC`,
          [person, now, idleSince],
        ),
      )
      return rows.map((row) => ({ ...row, browser: row.browser ?? undefined }))
    },
    async end(person, ids) {
      await database.transaction('server', (sql) =>
        sql.query(
          `DELETE FROM ken.browser_sessions WHERE person = $1
           AND id IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
          [person, JSON.stringify(ids)],
        ),
      )
    },
    async endOthers(person, but) {
      await database.transaction('server', (sql) =>
        sql.query('DELETE FROM ken.browser_sessions WHERE person = $1 AND id <> $2', [person, but]),
      )
    },
  }
}
