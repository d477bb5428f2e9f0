import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlSession } from '../../kernel/ports/sql-database.ts'
import type { Organisation, Person } from '../domain/person.ts'
import type { People } from '../ports/people.ts'

export function openPeople(database: SqlDatabase): People {
  const read = async (text: string, values: readonly string[]): Promise<readonly Person[]> =>
    (await database.transaction('server', (sql) => sql.query<PersonRow>(text, values), { readOnly: true })).map(
      toPerson,
    )
  return {
    found: (organisation, admin, { first }) =>
      database.transaction('server', async (sql) => {
        // Held until the end, so that the second of two concurrent founders sees the first organisation.
        await sql.query("SELECT pg_advisory_xact_lock(hashtextextended('ken organisations', 0))")
        if (first && (await hasOrganisation(sql)))
          throw new AppError('conflict', 'This server already has an organisation.', {
            hint: 'Ask an admin for an invitation.',
          })
        await sql.query('INSERT INTO ken.organisations (id, name, created_at) VALUES ($1, $2, $3)', [
          organisation.id,
          organisation.name,
          organisation.createdAt,
        ])
        await sql.query(
          `INSERT INTO ken.people (id, organisation, email, name, role, created_at) VALUES ($1, $2, $3, $4, 'admin', $5)`,
          [admin.id, organisation.id, admin.email, admin.name, admin.createdAt],
        )
      }),
    isEmpty: async () => !(await database.transaction('server', hasOrganisation)),
    organisations: (ids) =>
      database.transaction('server', (sql) =>
        sql.query<Organisation>(
          `SELECT id, name, created_at AS "createdAt" FROM ken.organisations
           WHERE $1::text IS NULL OR id IN (SELECT jsonb_array_elements_text($1::text::jsonb)) ORDER BY id`,
          [ids === undefined ? null : JSON.stringify(ids)],
        ),
      ),
    find: async (id) => (await read(`SELECT ${PERSON_COLUMNS} FROM ken.people WHERE id = $1`, [id]))[0],
    withAddress: (email) =>
      read(`SELECT ${PERSON_COLUMNS} FROM ken.people WHERE email = $1 AND left_at IS NULL ORDER BY created_at, id`, [
        email,
      ]),
    list: (organisation) =>
      read(`SELECT ${PERSON_COLUMNS} FROM ken.people WHERE organisation = $1 ORDER BY email`, [organisation]),
    change: (organisation, id, { name, role }) =>
      database.transaction('server', async (sql) => {
        const before = await lockPerson(sql, organisation, id)
        if (role !== undefined && role !== 'admin') await assertAnotherAdmin(sql, before)
        // Otherwise a demoted admin could return as one through an address that they invited before.
        if (role !== undefined && role !== 'admin')
          await sql.query('DELETE FROM ken.invitations WHERE invited_by = $1', [id])
        const [row] = await sql.query<PersonRow>(
          `UPDATE ken.people SET name = coalesce($2, name), role = coalesce($3, role) WHERE id = $1 RETURNING ${PERSON_COLUMNS}`,
          [id, name ?? null, role ?? null],
        )
        return toPerson(row!)
      }),
    leave: (organisation, id, at) =>
      database.transaction('server', async (sql) => {
        await assertAnotherAdmin(sql, await lockPerson(sql, organisation, id))
        await sql.query('UPDATE ken.people SET left_at = $2 WHERE id = $1', [id, at])
        for (const table of ['members', 'tokens', 'browser_sessions', 'passkeys', 'oauth_grants'])
          await sql.query(`DELETE FROM ken.${table} WHERE person = $1`, [id])
        await sql.query('DELETE FROM ken.invitations WHERE invited_by = $1', [id])
        await sql.query('DELETE FROM ken.sign_in_codes WHERE email = (SELECT email FROM ken.people WHERE id = $1)', [
          id,
        ])
      }),
  }
}

const hasOrganisation = async (sql: SqlSession): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM ken.organisations LIMIT 1')).length > 0

/** Also locks all admins, in one order, so that two admins who revoke each other's role are serialised. */
async function lockPerson(sql: SqlSession, organisation: string, id: string): Promise<Person> {
  const rows = await sql.query<PersonRow>(
    `SELECT ${PERSON_COLUMNS} FROM ken.people
     WHERE organisation = $1 AND left_at IS NULL AND (id = $2 OR role = 'admin') ORDER BY id FOR UPDATE`,
    [organisation, id],
  )
  const found = rows.find((row) => row.id === id)
  if (found === undefined) throw new AppError('not_found', 'Person not found.')
  return toPerson(found)
}

async function assertAnotherAdmin(sql: SqlSession, { organisation, id, role }: Person): Promise<void> {
  if (role !== 'admin') return
  const others = await sql.query(
    `SELECT 1 FROM ken.people WHERE organisation = $1 AND id <> $2 AND role = 'admin' AND left_at IS NULL LIMIT 1`,
    [organisation, id],
  )
  if (others.length === 0)
    throw new AppError('conflict', 'An organisation needs at least one admin.', {
      hint: 'Make another person an admin first.',
    })
}

export type PersonRow = Omit<Person, 'leftAt'> & { readonly leftAt: string | null }

export const PERSON_COLUMNS =
  'id, organisation, email, name, role, created_at AS "createdAt", left_at AS "leftAt"' as const

export const toPerson = (row: PersonRow): Person => ({ ...row, leftAt: row.leftAt ?? undefined })
