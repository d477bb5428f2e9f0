import { openPeople } from '../../adapters/people/postgres/people.ts'
import { AppError } from '../../core/errors.ts'
import type { Person } from '../../core/team/person.ts'
import type { SqlDatabase } from '../../ports/sql-database.ts'

/** Somebody by id or address, also who left; undefined where nobody has it. */
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
    throw new AppError('invalid_input', 'The address is somebody’s in several organisations.', {
      hint: `Name the person by id: ${found.map(({ id }) => id).join(', ')}.`,
    })
  return found[0]
}
