import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { Passkey } from '../domain/passkey.ts'
import type { PasskeyStore } from '../ports/sign-in.ts'

type Row = Omit<Passkey, 'usedAt'> & { readonly usedAt: string | null }

const COLUMNS = `k.id, k.person, k.name, k.public_key AS "publicKey", k.counter, k.transports,
  k.created_at AS "createdAt", k.used_at AS "usedAt"`

export function openPasskeyStore(database: SqlDatabase): PasskeyStore {
  const read = async (where: string, value: string): Promise<readonly Passkey[]> =>
    (
      await database.transaction('server', (sql) =>
        sql.query<Row>(
          `SELECT ${COLUMNS} FROM ken.passkeys k JOIN ken.people p ON p.id = k.person
           WHERE ${where} = $1 AND p.left_at IS NULL ORDER BY k.created_at, k.id`,
          [value],
        ),
      )
    ).map((row) => ({ ...row, publicKey: new Uint8Array(row.publicKey), usedAt: row.usedAt ?? undefined }))
  return {
    add: ({ id, person, name, publicKey, counter, transports, createdAt }) =>
      database.transaction('server', async (sql) => {
        const there = await sql.query('SELECT 1 FROM ken.people WHERE id = $1 AND left_at IS NULL FOR SHARE', [person])
        if (there.length === 0) throw new AppError('not_found', 'Person not found.')
        const made = await sql.query(
          `INSERT INTO ken.passkeys (id, person, name, public_key, counter, transports, created_at)
           VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, person, name, publicKey, counter, JSON.stringify(transports), createdAt],
        )
        if (made.length === 0) throw new AppError('conflict', 'This passkey is already registered.')
      }),
    find: async (id) => (await read('k.id', id))[0],
    list: (person) => read('k.person', person),
    use: (id, counter, at) =>
      database.transaction('server', async (sql) => {
        const noted = await sql.query(
          `UPDATE ken.passkeys SET counter = $2, used_at = $3
           WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
          [id, counter, at],
        )
        return noted.length === 1
      }),
    async remove(person, id) {
      await database.transaction('server', (sql) =>
        sql.query('DELETE FROM ken.passkeys WHERE person = $1 AND id = $2', [person, id]),
      )
    },
  }
}
