import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { OneTimeSecrets } from '../ports/sign-in.ts'

export const openOneTimeSecrets = (database: SqlDatabase): OneTimeSecrets => ({
  keep: ({ hash, purpose, held, expiresAt }, now) =>
    database.transaction('server', async (sql) => {
      await sql.query('DELETE FROM ken.one_time_secrets WHERE expires_at <= $1', [now])
      await sql.query(
        'INSERT INTO ken.one_time_secrets (hash, purpose, held, expires_at) VALUES ($1, $2, $3::text::jsonb, $4)',
        [hash, purpose, JSON.stringify(held), expiresAt],
      )
    }),
  async take(hash, purpose, now) {
    const [row] = await database.transaction('server', (sql) =>
      sql.query<{ held: object; isOver: boolean }>(
        `DELETE FROM ken.one_time_secrets WHERE hash = $1 AND purpose = $2
         RETURNING held, expires_at <= $3 AS "isOver"`,
        [hash, purpose, now],
      ),
    )
    return row === undefined || row.isOver ? undefined : row.held
  },
})
