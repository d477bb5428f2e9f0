import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { Invitation } from '../domain/person.ts'
import type { Invitations } from '../ports/people.ts'
import { PERSON_COLUMNS, toPerson, type PersonRow } from './people.ts'

type Row = Omit<Invitation, 'invitedBy'> & { readonly invitedBy: string | null }

const COLUMNS =
  'id, organisation, email, role, invited_by AS "invitedBy", created_at AS "createdAt", expires_at AS "expiresAt"'

export function openInvitations(database: SqlDatabase): Invitations {
  const read = async (where: string, values: readonly string[]): Promise<readonly Invitation[]> =>
    (
      await database.transaction('server', (sql) =>
        sql.query<Row>(`SELECT ${COLUMNS} FROM ken.invitations WHERE ${where}`, values),
      )
    ).map((row) => ({ ...row, invitedBy: row.invitedBy ?? undefined }))
  return {
    invite: ({ id, organisation, email, role, invitedBy, createdAt, expiresAt }) =>
      database.transaction('server', async (sql) => {
        const there = await sql.query(
          'SELECT 1 FROM ken.people WHERE organisation = $1 AND email = $2 AND left_at IS NULL',
          [organisation, email],
        )
        if (there.length > 0)
          throw new AppError('conflict', 'A person with this address is already in the organisation.')
        // The id of an accepted invitation becomes the person's id, so a replacement gets a new id.
        await sql.query('DELETE FROM ken.invitations WHERE organisation = $1 AND email = $2', [organisation, email])
        await sql.query(
          `INSERT INTO ken.invitations (id, organisation, email, role, invited_by, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [id, organisation, email, role, invitedBy ?? null, createdAt, expiresAt],
        )
      }),
    async withdraw(organisation, id) {
      await database.transaction('server', (sql) =>
        sql.query('DELETE FROM ken.invitations WHERE organisation = $1 AND id = $2', [organisation, id]),
      )
    },
    list: (organisation, now) =>
      read('organisation = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC', [organisation, now]),
    standingFor: (email, now) => read('email = $1 AND expires_at > $2 ORDER BY created_at, id', [email, now]),
    accept: ({ email, name, at, only }) =>
      database.transaction('server', async (sql) => {
        await sql.query(
          `WITH taken AS (DELETE FROM ken.invitations WHERE email = $1 AND ($4::text IS NULL OR id = $4) RETURNING *)
           INSERT INTO ken.people (id, organisation, email, name, role, created_at)
           SELECT id, organisation, email, $2, role, $3 FROM taken WHERE expires_at > $3
           ON CONFLICT (organisation, email) DO UPDATE SET left_at = NULL, role = excluded.role
           WHERE people.left_at IS NOT NULL`,
          [email, name, at, only ?? null],
        )
        const rows = await sql.query<PersonRow>(
          `SELECT ${PERSON_COLUMNS} FROM ken.people WHERE email = $1 AND left_at IS NULL ORDER BY created_at, id`,
          [email],
        )
        return rows.map(toPerson)
      }),
  }
}
