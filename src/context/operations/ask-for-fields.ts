import { AppError } from '../../kernel/domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { addressParts } from '../domain/context-project/address-parts.ts'
import { referredNames } from '../domain/context-project/references.ts'
import { hasReference, isSecretField } from '../domain/context-project/secret-fields.ts'
import type { PlannedSource } from '../plan-source.ts'

/** Prompt at the terminal; undefined if there is no terminal or prompts are disabled. */
type Person = Context['ask']

/** Fills in missing required fields by prompting. Throws if prompts are not available. */
export async function askForFields(ask: Person, planned: readonly PlannedSource[]): Promise<readonly PlannedSource[]> {
  const completed: PlannedSource[] = []
  for (const source of planned) {
    const fields: Record<string, unknown> = { ...source.fields }
    for (const field of missingFields(source)) fields[field] = await needed(ask, field, source)
    completed.push({ ...source, fields: ask === undefined ? fields : await withPassword(ask, fields, source) })
  }
  return completed
}

/** Prompts for the values of unset variables: hidden, and omitted if the person has none yet. */
export async function askForVariables(
  ask: Person,
  planned: readonly PlannedSource[],
  lookup: (name: string) => string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const typed: Record<string, string> = {}
  if (ask === undefined) return typed
  const fields = planned.map((source) => source.fields)
  for (const name of referredNames(fields)) {
    if (lookup(name) !== undefined || hasDefault(fields, name)) continue
    const value = await ask(`${name} is not set. Its value? (hidden, goes into .env; empty to set it later)`, HIDDEN)
    if (value !== '') typed[name] = value
  }
  return typed
}

/** Whether a value defines a default for an unset variable. */
export const hasDefault = (value: unknown, name: string): boolean => JSON.stringify(value).includes(`\${${name}:-`)

const HIDDEN = { hidden: true } as const

/** Missing required fields, in definition order. */
function missingFields({ kind, fields, name, usualName }: PlannedSource): readonly string[] {
  const hasName = kind.kind !== 'database' && kind.place.entries !== 'one'
  const whole = { ...fields, ...(hasName && { name: name ?? usualName }) }
  const issues = issuesOf(kind.schema, whole)
  return issues.flatMap(({ code, path, input }) =>
    code === 'invalid_type' && input === undefined && path.length === 1 ? [String(path[0])] : [],
  )
}

/** A schema rule may throw on an unresolved reference; in that case no issues are reported. */
function issuesOf(schema: PlannedSource['kind']['schema'], value: unknown) {
  try {
    return schema.safeParse(value, { reportInput: true }).error?.issues ?? []
  } catch {
    return []
  }
}

async function needed(ask: Person, field: string, { kind }: PlannedSource): Promise<string> {
  const isSecret = isSecretField(field, kind.secrets)
  const answer = await ask?.(`${kind.label}: ${field}?${isSecret ? ' (hidden, goes into .env)' : ''}`, {
    hidden: isSecret,
  })
  if (answer !== undefined && answer !== '') return answer
  const variable = `${kind.word}_${field}`.replaceAll(/\W/g, '_').toUpperCase()
  throw new AppError('invalid_input', `${kind.label} needs "${field}".`, {
    hint: isSecret
      ? `Add a variable that holds it: ${field}='\${${variable}}'.`
      : `Add ${field}=…; ${kind.word} has ${kind.fields.join(', ')}.`,
  })
}

/** A login given without a password may need a password, and an address on a command line should not contain one. */
async function withPassword(
  ask: NonNullable<Person>,
  fields: Readonly<Record<string, unknown>>,
  { kind }: PlannedSource,
): Promise<Readonly<Record<string, unknown>>> {
  if (kind.kind !== 'database' || !kind.fields.includes('password') || fields['password'] !== undefined) return fields
  const url = typeof fields['url'] === 'string' && !hasReference(fields['url']) ? fields['url'] : undefined
  const parts = url === undefined ? undefined : addressParts(url)
  const user = parts?.user ?? fields['user']
  if (typeof user !== 'string' || user === '' || hasReference(user) || parts?.password) return fields
  const host = parts?.host ?? fields['host'] ?? fields['account'] ?? kind.label
  const password = await ask(`Password of ${user} at ${String(host)}? (hidden, goes into .env; empty for none)`, HIDDEN)
  if (password === '') return fields
  if (url === undefined) return { ...fields, password }
  return {
    ...fields,
    url: url.replace(/^([^:]+:\/\/[^@/]*)@/, (_, login: string) => `${login}:${encodeURIComponent(password)}@`),
  }
}
