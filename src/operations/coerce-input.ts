import { z } from 'zod'
import { AppError } from '../kernel/domain/errors.ts'
import { meaningOfKeys, type KeyMeaning } from '../kernel/domain/input/field-names.ts'
import { isDeeper } from '../kernel/domain/input/nesting.ts'
import { isPlainObject, readJson, readValue, type FieldShape } from '../kernel/domain/input/read-value.ts'
import { ellipsis } from '../kernel/domain/text.ts'
import type { Operation } from './operation.ts'

/** A call with coerced input, and notes for the caller on how the input was interpreted. */
export interface Meant {
  readonly input: unknown
  readonly told: readonly string[]
}

/**
 * Coerces a model's arguments by the operation's schema alone. Only unambiguous values are accepted; the rest is
 * rejected with the one thing to change. The command line has a separate parser (`flags.ts`), which protects people
 * from slips.
 */
export function coerceInput(operation: Operation, given: unknown, now: number): Meant {
  if (!isPlainObject(given)) return { input: given, told: [] }
  if (isDeeper(given, MOST_NESTED))
    throw new AppError('invalid_input', `The input is nested more than ${MOST_NESTED} levels deep.`)
  const shape = shapeOf(operation)
  const fields = Object.keys(shape.properties ?? {})
  const keys = Object.keys(given).filter((key) => !isAboutTheCall(key, fields))
  if (keys.length > MOST_KEYS) throw refusal(operation, `${operation.name} takes no ${keys.length} fields.`, fields)
  const meanings = meaningOfKeys(keys, fields, operation.name)
  const told: string[] = []
  const input: Record<string, unknown> = {}
  const by = new Map<string, string>()
  for (const key of keys) {
    const field = fieldMeant(operation, { key, given: given[key], meaning: meanings.get(key)! })
    if (field === undefined) continue
    const isRequired = shape.required?.includes(field) === true
    const tell = (line: string) => told.push(line)
    const value = readValue(shape.properties![field]!, given[key], { name: field, isRequired, now, tell })
    if (value === undefined) continue
    const other = by.get(field)
    if (other !== undefined && JSON.stringify(input[field]) !== JSON.stringify(value))
      throw new AppError('invalid_input', `"${shown(other)}" and "${shown(key)}" both stand for ${field}.`, {
        hint: `Pass only ${field}.`,
      })
    by.set(field, key)
    input[field] = value
  }
  return { input, told }
}

/** Undefined for an empty value; throws for a key that is unknown or ambiguous. */
function fieldMeant(
  operation: Operation,
  { key, given, meaning }: { key: string; given: unknown; meaning: KeyMeaning },
): string | undefined {
  if ('field' in meaning) return meaning.field
  if (given === null || given === undefined || given === '') return undefined
  if ('either' in meaning)
    throw new AppError('invalid_input', `"${shown(key)}" may mean ${meaning.either.join(' or ')}.`, {
      hint: 'Use the exact field name.',
    })
  throw refusal(operation, `${operation.name} takes no "${shown(key)}".`, meaning.nearest)
}

function refusal(operation: Operation, message: string, nearest: readonly string[]): AppError {
  const known = offeredFields(operation)
  const offered = nearest.filter((name) => known.includes(name)).slice(0, MOST_NAMED)
  return new AppError('invalid_input', message, {
    hint: offered.length === 0 ? 'It takes nothing.' : `Leave it out, or use one of: ${offered.join(', ')}.`,
  })
}

/** Aliases of a field are accepted but not offered. */
export const offeredFields = (operation: Operation): string[] =>
  Object.entries(shapeOf(operation).properties ?? {}).flatMap(([name, own]) => (own.deprecated === true ? [] : [name]))

const MOST_KEYS = 100
// Far above any schema.
const MOST_NESTED = 64
const MOST_NAMED = 12
const LONGEST_SHOWN = 40
const shown = (key: string): string => ellipsis(key, LONGEST_SHOWN)

/** Fields about the call itself that some clients make a model add. */
const ABOUT_THE_CALL = new Set([
  '_meta',
  '$schema',
  'explanation',
  'thought',
  'thoughts',
  'task_progress',
  'security_risk',
  'wait_for_previous',
])

const isAboutTheCall = (key: string, fields: readonly string[]): boolean =>
  ABOUT_THE_CALL.has(key) && !fields.includes(key)

/** The actual arguments, if they came as JSON text or nested in arguments: `{"input": {…}}`. */
export function unwrapped(raw: unknown, operation: Operation): unknown {
  let given = typeof raw === 'string' ? (readJson(raw) ?? raw) : (raw ?? {})
  for (let depth = 0; depth < DEEPEST_WRAPPING && isPlainObject(given); depth++) {
    const { cwd, ...rest } = given
    const [only, ...more] = Object.entries(rest)
    if (only === undefined || more.length > 0 || !isWrapper(only[0], operation)) break
    const inner = typeof only[1] === 'string' ? readJson(only[1]) : only[1]
    if (!isPlainObject(inner)) break
    given = cwd === undefined ? inner : { cwd, ...inner }
  }
  return given
}

const DEEPEST_WRAPPING = 3
const WRAPPERS = new Set([
  'input',
  'inputs',
  'arguments',
  'args',
  'params',
  'parameters',
  'kwargs',
  'tool_input',
  'toolInput',
  'payload',
  'request',
])

const isWrapper = (key: string, operation: Operation): boolean =>
  !Object.hasOwn(operation.input.shape, key) && (WRAPPERS.has(key) || key === operation.name)

const shapes = new WeakMap<Operation['input'], FieldShape>()

function shapeOf({ input }: Operation): FieldShape {
  const known = shapes.get(input)
  if (known !== undefined) return known
  const shape = z.toJSONSchema(input, { io: 'input' }) as FieldShape
  shapes.set(input, shape)
  return shape
}
