import type { Person } from '../domain/person.ts'

export type PersonRow = Omit<Person, 'leftAt'> & { readonly leftAt: string | null }

export const PERSON_COLUMNS =
  'id, organisation, email, name, role, created_at AS "createdAt", left_at AS "leftAt"' as const

export const toPerson = (row: PersonRow): Person => ({ ...row, leftAt: row.leftAt ?? undefined })
