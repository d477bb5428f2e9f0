import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { Person } from '../../team/domain/person.ts'
import { openPeople } from '../../team/people/people.ts'

/** A person by id or address, including former ones; undefined if there is none. */
export async function personNamed(
  database: SqlDatabase,
  { named, organisation }: { readonly named: string; readonly organisation: string | undefined },
): Promise<Person | undefined> {
  const people = openPeople(database)
  const address = named.trim().toLowerCase()
  const organisations = (await people.organisations()).filter(
    ({ id, name }) => organisation === undefined || [id, name].includes(organisation),
  )
  const found: Person[] = []
  for (const { id } of organisations)
    found.push(...(await people.list(id)).filter((person) => person.id === named || person.email === address))
  if (found.length > 1)
    throw new AppError('invalid_input', 'The address belongs to people in several organisations.', {
      hint: `Use the person’s id: ${found.map(({ id }) => id).join(', ')}.`,
    })
  return found[0]
}
