import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { SignInCodes } from '../ports/sign-in.ts'

export const openSignInCodes = (database: SqlDatabase): SignInCodes => ({
  keep: ({ hash, email, seal, expiresAt }, now) =>
    database.transaction('server', async (sql) => {
      await sql.query('DELETE FROM ken.sign_in_codes WHERE expires_at <= $1', [now])
      await sql.query('INSERT INTO ken.sign_in_codes (hash, email, seal, expires_at) VALUES ($1, $2, $3, $4)', [
        hash,
        email,
        seal,
        expiresAt,
      ])
    }),
  async try(hash, { now, most }) {
    const [row] = await database.transaction('server', (sql) =>
      sql.query<{ email: string; seal: string }>(
        `UPDATE ken.sign_in_codes SET tries = tries + 1
         WHERE hash = $1 AND expires_at > $2 AND tries < $3 RETURNING email, seal`,
        [hash, now, most],
      ),
    )
    return row
  },
  spend: (hash) =>
    database.transaction('server', async (sql) => {
      const gone = await sql.query('DELETE FROM ken.sign_in_codes WHERE hash = $1 RETURNING hash', [hash])
      return gone.length === 1
    }),
})
