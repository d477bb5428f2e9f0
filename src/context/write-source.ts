import { parseEnv } from 'node:util'
import { AppError } from '../kernel/domain/errors.ts'
import type { ConfigEntry } from './domain/context-project/config.ts'
import { addEntry, isSameValue, removeEntry } from './domain/context-project/edit-config.ts'
import { entryFault } from './domain/context-project/entry-fault.ts'
import { moveSecrets } from './domain/context-project/move-secrets.ts'
import { readConfig } from './domain/context-project/read-config.ts'
import { referredNames } from './domain/context-project/references.ts'
import { variableFor } from './domain/context-project/secret-fields.ts'
import type { ContextRules } from './domain/context-project/source-rules.ts'
import type { PlannedSource } from './plan-source.ts'
import type { ConfigTexts } from './ports/config-files.ts'

type Fields = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, string>>

export interface WriteParts {
  readonly rules: ContextRules
  /** Environment variable, which overrides `.env`. */
  variable(name: string): string | undefined
  /** Values for variables that the entries refer to, as typed. */
  readonly typed: Variables
  readonly isRepository: boolean
}

/** Result for one source. */
export interface WrittenSource {
  readonly key: string
  readonly name: string
  /** True if ken.yaml already had it unchanged. */
  readonly already: boolean
  /** Variables added to `.env`. */
  readonly variables: readonly string[]
  /** Variables that it uses from an existing `.env`. */
  readonly borrowed: readonly string[]
}

export interface SourceEdit {
  readonly write: Partial<ConfigTexts>
  readonly result: readonly WrittenSource[]
}

/**
 * Adds sources to the files of a project. Secrets go to `.env`, which is added to `.gitignore`. Throws for a name that
 * is taken and for an unusable entry; then nothing may be written.
 */
export function withSources(now: ConfigTexts, planned: readonly PlannedSource[], parts: WriteParts): SourceEdit {
  let { yaml, env } = now
  const result: WrittenSource[] = []
  for (const source of planned) {
    const added = withSource({ yaml, env }, source, parts)
    yaml = added.yaml
    env = added.env
    result.push(added.written)
  }
  const hasSecrets = env !== now.env
  return {
    write: {
      ...(yaml !== now.yaml && { yaml }),
      ...(hasSecrets && { env }),
      ...(hasSecrets &&
        parts.isRepository &&
        !ignoresEnv(now.ignored) && { ignored: `${withLineEnd(now.ignored)}.env\n` }),
    },
    result,
  }
}

/** Removes a source from the files of a project; its variables stay in `.env` unless their removal is requested too. */
export function withoutSource(
  now: ConfigTexts,
  { key, rules, forget }: { readonly key: string; readonly rules: ContextRules; readonly forget: boolean },
): {
  readonly write: Partial<ConfigTexts>
  readonly result: { readonly kept: string[]; readonly forgotten: string[] }
} {
  const config = readConfig(now.yaml, rules)
  const entry = config.entries.find((one) => one.key === key)
  if (entry === undefined)
    throw new AppError('not_found', `ken.yaml no longer has ${key}.`, { hint: 'It was already removed.' })
  const at = config.entries.filter(({ list }) => list === entry.list).indexOf(entry)
  const others = new Set(config.entries.filter((one) => one !== entry).flatMap(({ value }) => referredNames(value)))
  const own = parseEnv(now.env)
  const names = referredNames(entry.value).filter((name) => name in own && !others.has(name))
  const env = forget ? names.reduce(withoutVariable, now.env) : now.env
  const left = parseEnv(env)
  return {
    write: { yaml: removeEntry(now.yaml, entry.list, at), ...(env !== now.env && { env }) },
    result: { kept: names.filter((name) => name in left), forgotten: names.filter((name) => !(name in left)) },
  }
}

interface Texts {
  readonly yaml: string
  readonly env: string
}

function withSource(
  { yaml, env }: Texts,
  source: PlannedSource,
  parts: WriteParts,
): Texts & { readonly written: WrittenSource } {
  const { kind, fields } = source
  const name = kind.place.entries === 'one' ? kind.kind : (source.name ?? source.usualName)
  const given = { ...entryOf(source, name), ...fields, ...(kind.place.entries !== 'one' && { name }) }
  refuseFault(given, source, parts.rules)
  const before = parseEnv(env)
  const free = (field: string, secret: string): string =>
    freeVariable(variableFor(name, field), secret, { before, parts })
  const moved = moveSecrets(given, kind.secrets, free)
  const used = referredNames(moved.fields)
  const variables = { ...moved.variables, ...only(parts.typed, used) }
  const key = kind.place.entries === 'one' ? kind.kind : `${kind.kind}/${name}`
  const config = readConfig(yaml, parts.rules)
  const wanted = readAlone(moved.fields, source, parts.rules)
  const existing =
    config.entries.find((one) => source.name === undefined && isSameSource(one, wanted)) ??
    config.entries.find((one) => one.key.toLowerCase() === key.toLowerCase())
  const borrowed = used.filter((one) => one in before && !(one in variables) && parts.variable(one) === undefined)
  if (existing !== undefined) {
    if (!isSameSource(existing, wanted)) throw taken(existing, kind.place.entries === 'one')
    return { yaml, env, written: { key: existing.key, name: existing.name, already: true, variables: [], borrowed } }
  }
  const more = addEntry(yaml, kind.place, moved.fields)
  // Parsed before anything is written: an unreadable file would leave the project without any source.
  readConfig(more, parts.rules)
  const added = Object.entries(variables).filter(([variable, value]) => before[variable] !== value)
  return {
    yaml: more,
    env: added.reduce((text, [variable, value]) => withVariable(text, variable, value), env),
    written: { key, name, already: false, variables: added.map(([variable]) => variable), borrowed },
  }
}

const entryOf = ({ kind }: PlannedSource, name: string): Fields => ({
  ...(kind.place.entries !== 'one' && { name }),
  ...kind.fixed,
})

/** Parses a new entry. */
function readAlone(fields: Fields, { kind }: PlannedSource, rules: ContextRules): ConfigEntry {
  const text = addEntry('name: x\n', kind.place, fields)
  return readConfig(text, rules).entries[0]!
}

/** Compares without names and without inherited options of the project. */
const isSameSource = (a: ConfigEntry, b: ConfigEntry): boolean => {
  const plain = ({ value }: ConfigEntry): Fields => ({ ...(value as Fields), name: '', personal: '' })
  return a.list === b.list && isSameValue(plain(a), plain(b))
}

function taken({ key, name }: ConfigEntry, isOne: boolean): AppError {
  return new AppError('conflict', isOne ? `ken.yaml already has ${key}.` : `The name "${name}" is taken by ${key}.`, {
    hint: isOne
      ? `Change it in ken.yaml, or take it out first: \`ken source remove ${name}\`.`
      : `Give another with --name, or take that one out: \`ken source remove ${name}\`.`,
  })
}

/** Checks the original values: once a secret is a reference, an invalid address in it goes unnoticed. */
function refuseFault(value: Fields, source: PlannedSource, rules: ContextRules): void {
  if (source.kind.kind !== 'database') return
  const fault = entryFault(readAlone(value, source, rules), rules)
  if (fault !== undefined) throw fault
}

/** Variable that is not used for something else, here or in the environment. */
function freeVariable(
  wanted: string,
  value: string,
  { before, parts }: { readonly before: NodeJS.Dict<string>; readonly parts: WriteParts },
): string {
  for (let at = 1; ; at++) {
    const name = at === 1 ? wanted : `${wanted}_${at}`
    if ((before[name] ?? value) === value && (parts.variable(name) ?? value) === value) return name
  }
}

/** Appends a line that parses back to the same value. */
function withVariable(env: string, name: string, value: string): string {
  for (const quote of ["'", '"', '`']) {
    const text = `${withLineEnd(withoutVariable(env, name))}${name}=${quote}${value}${quote}\n`
    // An unclosed quote above would swallow this line, and change existing values.
    if (isSameValue(parseEnv(text), { ...parseEnv(env), [name]: value })) return text
  }
  throw new AppError('invalid_input', `The value for ${name} cannot be written into .env.`, {
    hint: `Set ${name} in the environment, and write \${${name}} in its place.`,
  })
}

/** Removes only a separate line: one inside a multi-line value belongs to that value. */
function withoutVariable(env: string, name: string): string {
  const lines = env.split('\n')
  const at = lines.findIndex((line) => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(line))
  if (at < 0) return env
  const left = lines.toSpliced(at, 1).join('\n')
  const { [name]: _gone, ...others } = parseEnv(env)
  return JSON.stringify(parseEnv(left)) === JSON.stringify(others) ? left : env
}

const ignoresEnv = (ignored: string): boolean => /^\/?(?:\.env\*?|\*\.env|\.\*|\*)[ \t]*\r?$/m.test(ignored)

const withLineEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const only = (variables: Variables, names: readonly string[]): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)))
