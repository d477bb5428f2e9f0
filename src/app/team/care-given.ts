import type { ParseArgsConfig } from 'node:util'
import type { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { Person } from '../../team/domain/person.ts'
import { openPeople } from '../../team/people/people.ts'
import type { Environment } from '../settings.ts'

/** A command that maintains a server's database from outside the server; returns its output. */
export interface CareCommand {
  readonly options: NonNullable<ParseArgsConfig['options']>
  run(given: CareGiven, environment: Environment): Promise<string>
}

export interface CareGiven {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

export function onlyWord({ words }: CareGiven, missing: string): string {
  const [word, ...more] = words
  if (word === undefined || word === '' || more.length > 0)
    throw new AppError('invalid_input', missing, { hint: 'See `ken server --help`.' })
  return word
}

/** Parses the arguments of a command with flags only. */
export function parsedFlags<T>(schema: z.ZodType<T>, { words, flags }: CareGiven): T {
  if (words.length > 0)
    throw new AppError('invalid_input', `Unexpected argument "${words[0]}".`, { hint: 'See `ken server --help`.' })
  const result = schema.safeParse({ ...flags })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError('invalid_input', `--${issue!.path.join('.')}: ${issue!.message}.`, {
    hint: 'See `ken server --help`.',
  })
}

/** Returns a variable that the server's operator must set; throws if it is missing. */
export function neededOf(environment: Environment, name: string): string {
  const value = environment[name]?.trim()
  if (value === undefined || value === '')
    throw new AppError('invalid_input', `${name} is not set.`, { hint: 'See `ken server --help`.' })
  return value
}

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
