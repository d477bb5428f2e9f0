import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { HELP_KEY, type Operation } from '../../operations/operation.ts'
import { flagName } from '../../operations/spelling.ts'

/** One input field as a command-line flag. */
export interface Flag {
  readonly field: string
  /** Kebab-case, without dashes. */
  readonly name: string
  /** A former name that is still accepted. */
  readonly formerly: string | undefined
  /** One letter with a dash. */
  readonly short: string | undefined
  readonly kind: 'text' | 'number' | 'switch' | 'texts' | 'objects'
  readonly choices: readonly string[] | undefined
  readonly fallback: unknown
  readonly required: boolean
  readonly help: string
  /** For lists of objects with two text fields: `first: second` may be typed instead of JSON. */
  readonly pair: readonly [string, string] | undefined
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly [HELP_KEY]?: string
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

export function flagsOf(operation: Operation): Flag[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input' }) as JsonSchema
  return Object.entries(schema.properties ?? {}).map(([field, property]) => ({
    field,
    name: flagName(field),
    formerly: formerName(field),
    short: SHORT[field],
    kind: kindOf(property),
    choices: property.enum,
    fallback: property.default,
    required: (schema.required ?? []).includes(field),
    help: helpOf(field, property[HELP_KEY] ?? property.description),
    pair: pairOf(property),
  }))
}

const formerName = (field: string): string | undefined => {
  const former = field.replaceAll('_', '-')
  return field === 'project_id' || former === flagName(field) ? undefined : former
}

/**
 * Descriptions of fields shared by many operations; for agents they are short or empty, because they cost tokens in
 * every session.
 */
const helpOf = (field: string, said = ''): string =>
  field === 'project_id'
    ? 'Another project, by id or name.'
    : said === '' && field === 'limit'
      ? 'At most this many.'
      : said

const SHORT: Readonly<Record<string, string>> = {
  continue: '-c',
  limit: '-n',
  model: '-m',
  project_id: '-p',
  runs: '-k',
  threads: '-t',
}

/** Converts command-line text to the operation's input value. */
export function readFlag(
  flag: Flag,
  given: string | readonly string[] | boolean,
  readText: (name: string) => string,
): unknown {
  if (flag.kind === 'number') return toNumber(flag, String(given))
  if (flag.kind === 'objects') return (given as readonly string[]).flatMap((text) => toObjects(flag, text, readText))
  // `-` is standard input for inputs; as an output file it is standard output, which the operation handles.
  if (flag.kind === 'text' && given === '-' && flag.field !== 'output') return readText('-')
  return given
}

function kindOf(schema: JsonSchema): Flag['kind'] {
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type !== 'array') return 'text'
  return schema.items?.type === 'object' ? 'objects' : 'texts'
}

function pairOf(schema: JsonSchema): readonly [string, string] | undefined {
  const names = Object.entries(schema.items?.properties ?? {})
    .filter(([, property]) => property.type === 'string')
    .map(([name]) => name)
  return names.length === 2 ? [names[0]!, names[1]!] : undefined
}

function toNumber(flag: Flag, text: string): number {
  const digits = /^[Dd]?(-?[0-9]+(?:\.[0-9]+)?)$/.exec(text)?.[1]
  if (digits === undefined)
    throw new AppError('invalid_input', `${fieldNamed(flag.field)} takes a number, not "${text}".`)
  return Number(digits)
}

function toObjects(flag: Flag, text: string, readText: (name: string) => string): unknown[] {
  const source = text === '-' ? readText('-') : text.startsWith('@') ? readText(text.slice(1)) : text
  if (/^\s*[[{]/.test(source)) {
    try {
      return [JSON.parse(source)].flat()
    } catch {
      throw new AppError('invalid_input', `${fieldNamed(flag.field)} is not valid JSON.`)
    }
  }
  const colon = source.indexOf(':')
  if (flag.pair === undefined || colon < 0)
    throw new AppError(
      'invalid_input',
      `${fieldNamed(flag.field)} takes "${flag.pair?.join(': ') ?? 'JSON'}", JSON, @file or - for standard input.`,
    )
  return [{ [flag.pair[0]]: source.slice(0, colon).trim(), [flag.pair[1]]: source.slice(colon + 1).trim() }]
}
