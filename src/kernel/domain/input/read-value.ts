import { toBytes } from '../settings.ts'
import { meaningOfKeys } from './field-names.ts'
import { DAY, readTime } from './spoken-time.ts'

/** The parts of a field's JSON schema that parsing needs. */
export interface FieldShape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly maximum?: number
  readonly items?: FieldShape
  readonly properties?: Readonly<Record<string, FieldShape>>
  readonly required?: readonly string[]
  readonly deprecated?: boolean
  readonly anyOf?: readonly FieldShape[]
}

export interface Reading {
  readonly name: string
  readonly isRequired: boolean
  readonly now: number
  /** Reports input that was converted. */
  tell(line: string): void
}

/**
 * Converts a model's value to the form of the field: "5" to 5, "a, b" to a list, "Strong" to strong. Undefined if the
 * value means "not given". An ambiguous value is returned unchanged, for the schema to reject.
 */
export function readValue(shape: FieldShape, given: unknown, reading: Reading): unknown {
  if (isNothing(shape, given, reading.isRequired)) return undefined
  switch (shape.type) {
    case 'boolean':
      return toSwitch(alone(given))
    case 'integer':
    case 'number':
      return bounded(toNumber(alone(given), reading), shape.maximum, reading)
    case 'array':
      return toList(shape.items ?? {}, given, reading)
    case 'object':
      return toObject(shape, given, reading)
    case 'string':
      return shape.enum === undefined ? toText(alone(given)) : toChoice(shape.enum, alone(given))
    default: {
      // A field that takes a number or a name: a value that parses as a number counts as a number.
      const number = shape.anyOf?.find(({ type }) => type === 'integer')
      return number === undefined ? given : readValue(number, given, reading)
    }
  }
}

/** Parses JSON text of an object or a list; undefined for any other text. */
export function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a value means "not given": models that must fill every field put null, an empty value, or "all" into unused
 * ones.
 */
function isNothing(shape: FieldShape, given: unknown, isRequired: boolean): boolean {
  if (given === null || given === undefined) return true
  if (isRequired) return false
  if (Array.isArray(given)) return given.every((one) => isNothing(shape.items ?? {}, one, false))
  if (typeof given !== 'string') return false
  const word = given.trim().toLowerCase()
  if (word === '') return true
  const isFreeText = shape.type === 'string' && shape.enum === undefined
  if (!isFreeText && ['null', 'undefined', 'none', '[]', '{}'].includes(word)) return !isAmong(shape, word)
  const choices = shape.enum ?? shape.items?.enum
  return choices !== undefined && ['all', 'any', '*'].includes(word) && !isAmong(shape, word)
}

const isAmong = ({ enum: own, items }: FieldShape, word: string): boolean => (own ?? items?.enum ?? []).includes(word)

/** Unwraps a list of one. */
const alone = (given: unknown): unknown => (Array.isArray(given) && given.length === 1 ? given[0] : given)

const TRUTHY = new Set(['true', 'yes', 'y', 'on', '1'])
const FALSY = new Set(['false', 'no', 'n', 'off', '0'])

function toSwitch(given: unknown): unknown {
  const word = String(given).trim().toLowerCase()
  return typeof given === 'object' ? given : TRUTHY.has(word) ? true : FALSY.has(word) ? false : given
}

// D42, #42, decision 42, decisions/042-use-postgres.md: all forms in which Ken names a decision.
const DECISION = /^(?:decisions\/)?(?:#|d(?=\d)|decision[ #:_-]*d?(?=\d))?(\d{1,9})(?:-\d*[a-z][^/\s]*)?(?:\.md)?$/i
const LONGEST_NUMBER = 200

function toNumber(given: unknown, { name, now }: Reading): unknown {
  if (typeof given !== 'string' || given.length > LONGEST_NUMBER) return given
  const text = given.trim()
  if (/^[+-]?\d{1,15}(?:\.\d{1,10})?$/.test(text)) return Number(text)
  if (/^\d{1,3}(?:[,_]\d{3}){1,4}$/.test(text)) return Number(text.replaceAll(/[,_]/g, ''))
  if (name.endsWith('bytes')) return toBytes(text) ?? given
  if (name.endsWith('days')) {
    const from = readTime(text, now)?.from
    return from === undefined ? given : Math.max(0, Math.ceil((now - from) / DAY))
  }
  const digits = DECISION.exec(text)?.[1]
  return digits === undefined ? given : Number(digits)
}

/** Reduces a number to the maximum and reports it, so that the last result is not taken for the end. */
function bounded(given: unknown, maximum: number | undefined, { name, tell }: Reading): unknown {
  if (typeof given !== 'number' || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER || !(given > maximum))
    return given
  tell(`${name} is at most ${maximum}, and was read as that.`)
  return maximum
}

const toText = (given: unknown): unknown =>
  typeof given === 'number' || typeof given === 'boolean' ? String(given) : given

const foldedChoice = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '')

function toChoice(choices: readonly string[], given: unknown): unknown {
  if (typeof given === 'object' || choices.includes(given as string)) return given
  const word = foldedChoice(String(given).slice(0, LONGEST_NUMBER))
  return (
    choices.find((choice) => foldedChoice(choice) === word) ??
    choices.find((choice) => `${foldedChoice(choice)}s` === word) ??
    given
  )
}

function toList(item: FieldShape, given: unknown, reading: Reading): unknown {
  const parts = listParts(item, given)
  if (parts === undefined) return given
  const one = { ...reading, isRequired: true }
  return parts
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part) => readValue(item, part, one))
}

/** Items of a list in any notation; undefined if the value is not a list. */
function listParts(item: FieldShape, given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given))
    return item.enum === undefined ? given : given.flatMap((one) => (typeof one === 'string' ? split(one) : [one]))
  if (typeof given === 'string') {
    const parsed = readJson(given)
    if (parsed !== undefined) return listParts(item, parsed)
    return item.type === 'object' ? given.split('\n').filter((line) => line.trim() !== '') : split(given)
  }
  if (isPlainObject(given)) return item.type === 'object' ? objectsIn(item, given) : undefined
  return [given]
}

/** Splits `a, b`, lines, and `['a', 'b']`, which is not quite JSON. */
const split = (text: string): string[] =>
  text
    .trim()
    .replace(/^\[([^]*)\]$/, '$1')
    .split(/[,\n]/)
    .map((part) => part.trim().replace(/^(["'`])(.*)\1$/, '$2'))

/** Reads one object, or `{first: second}` as several if none of its keys is a field. */
function objectsIn(item: FieldShape, given: Readonly<Record<string, unknown>>): readonly unknown[] {
  const pair = pairOf(item)
  const meanings = [...meaningOfKeys(Object.keys(given), Object.keys(item.properties ?? {}), '').values()]
  const isMap = meanings.every((meaning) => !('field' in meaning)) && Object.values(given).every(isText)
  return pair === undefined || !isMap
    ? [given]
    : Object.entries(given).map(([first, second]) => ({ [pair[0]]: first, [pair[1]]: second }))
}

function toObject(shape: FieldShape, given: unknown, reading: Reading): unknown {
  const value = typeof given === 'string' ? (readJson(given) ?? paired(shape, given)) : given
  if (!isPlainObject(value)) return given
  const names = Object.keys(shape.properties ?? {})
  const keys = Object.keys(value)
  const meanings = meaningOfKeys(keys, names, '')
  // An unknown key stays unchanged, and is rejected by name.
  return Object.fromEntries(
    keys.flatMap((key) => {
      const meaning = meanings.get(key)!
      if (!('field' in meaning)) return [[key, value[key]]]
      const isRequired = shape.required?.includes(meaning.field) === true
      const read = readValue(shape.properties![meaning.field]!, value[key], {
        ...reading,
        name: meaning.field,
        isRequired,
      })
      return read === undefined ? [] : [[meaning.field, read]]
    }),
  )
}

/** Reads `first: second` as an object of two texts, as on the command line. */
function paired(shape: FieldShape, text: string): unknown {
  const pair = pairOf(shape)
  const [, first, second] = /^\s*(?:[-*] )?([^:\n]{1,500}): +(\S[^]*)$/.exec(text) ?? []
  return pair === undefined || second === undefined ? undefined : { [pair[0]]: first!.trim(), [pair[1]]: second.trim() }
}

const pairOf = ({ properties = {} }: FieldShape): readonly [string, string] | undefined => {
  const [first, second, ...more] = Object.keys(properties).filter((name) => properties[name]!.type === 'string')
  return first === undefined || second === undefined || more.length > 0 ? undefined : [first, second]
}

const isText = (value: unknown): boolean => typeof value === 'string'
