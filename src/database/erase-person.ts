import { AppError } from '../kernel/domain/errors.ts'
import type { SqlDatabase, SqlSession } from '../kernel/ports/sql-database.ts'
import { hashOfSecret } from '../team/domain/token.ts'
import { eraseRows, tablesWith, type Erased, type Place } from './erase-rows.ts'

/** Columns that contain a person's id. */
export const PERSON_COLUMNS = ['person', 'reader', 'owner', 'invited_by'] as const

/** Kept until its retention ends: it has only ids, which identify no one once the account is gone. */
const KEPT = ['audit_log']

/**
 * Deletes every row of a person (an empty id or address matches nobody), in every table that has a column for people,
 * and the account itself: from then on their id identifies nobody. Atomic; returns a summary of the deleted rows. With
 * `butDocuments`, the texts from which the index is built stay, so that they can be withdrawn from it. Throws
 * `conflict` if the organisation would have no admin left.
 */
export const erasePerson = (
  database: SqlDatabase,
  { id, email }: { readonly id: string; readonly email: string },
  { butDocuments }: { readonly butDocuments: boolean },
): Promise<readonly Erased[]> =>
  database.transaction('server', async (sql) => {
    await assertAnotherAdmin(sql, id)
    const kept = butDocuments ? [...KEPT, ...DOCUMENTS] : KEPT
    // The same address may belong to a person in another organisation.
    const others = await sql.query('SELECT FROM ken.people WHERE email = $2 AND id <> $1', [id, email])
    return eraseRows(sql, [
      ...(id === '' ? [] : await ofId(sql, id, kept)),
      ...(email === '' || others.length > 0 ? [] : ofAddress(email)),
      { table: 'people', where: 't.id = $1', values: [id] },
    ])
  })

async function ofId(sql: SqlSession, id: string, kept: readonly string[]): Promise<readonly Place[]> {
  const own: Place[] = []
  for (const column of PERSON_COLUMNS)
    for (const table of await tablesWith(sql, column, kept))
      own.push({ table, where: `t.${column} = $1`, values: [id] })
  return [
    ...own,
    { table: 'one_time_secrets', where: "t.held ->> 'person' = $1", values: [id] },
    { table: 'oauth_tallies', where: "right(t.bucket, length($1) + 1) = ' ' || $1", values: [id] },
  ]
}

const DOCUMENTS = ['shares', 'shared_texts']

/** Locks all admins in one order, so that two concurrent erasures run one after the other. */
async function assertAnotherAdmin(sql: SqlSession, id: string): Promise<void> {
  const admins = await sql.query<{ id: string }>(
    `SELECT id FROM ken.people WHERE role = 'admin' AND left_at IS NULL
       AND organisation = (SELECT organisation FROM ken.people WHERE id = $1) ORDER BY id FOR UPDATE`,
    [id],
  )
  if (admins.length === 1 && admins[0]!.id === id)
    throw new AppError('conflict', 'An organisation needs at least one admin.', {
      hint: 'Make another person an admin first.',
    })
}

const ofAddress = (email: string): readonly Place[] => [
  { table: 'invitations', where: 't.email = $1', values: [email] },
  { table: 'sign_in_codes', where: 't.email = $1', values: [email] },
  { table: 'one_time_secrets', where: "t.held ->> 'email' = $1", values: [email] },
  { table: 'attempts', where: "right(t.bucket, length($1) + 1) = ' ' || $1", values: [hashOfSecret(email)] },
]
