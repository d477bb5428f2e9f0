import { z } from 'zod'
import { didYouMean } from '../../../kernel/domain/close-match.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { addressFields } from './address-parts.ts'
import { databaseFields } from './config.ts'
import type { EntryPlace } from './edit-config.ts'
import { withoutLogin } from './secret-fields.ts'
import {
  fieldsOf,
  type ContextRules,
  type Pointed,
  type Recognised,
  type SourceRules,
  type WarehouseRules,
} from './source-rules.ts'

type Fields = Readonly<Record<string, unknown>>

/** A kind of database or of source, as something that an entry can be written for. */
export interface EntryKind {
  /** `database`, or what the source is called. */
  readonly kind: string
  /** What people type for it: `postgres`, `docs`. */
  readonly word: string
  /** What people call it. */
  readonly label: string
  readonly place: EntryPlace
  /** Says of itself what it is, as a database does by its type. */
  readonly fixed: Fields
  readonly fields: readonly string[]
  readonly schema: z.ZodType
  readonly secrets: readonly string[]
  readonly isFile: boolean
}

/** An entry for ken.yaml, as somebody asked for it: secrets still as they were given, and without a name. */
export interface Proposal {
  readonly kind: EntryKind
  readonly fields: Fields
  /** How sure it is, where nobody said what it is. */
  readonly fit?: Recognised['fit']
}

/** Every kind there is; the order is that of the definitions, databases first. */
export const entryKinds = ({ warehouses, sources }: ContextRules): readonly EntryKind[] => [
  ...warehouses.map(databaseKind),
  ...sources.map(sourceKind),
]

const databaseKind = ({ type, label, connection, secrets, place }: WarehouseRules): EntryKind => ({
  kind: 'database',
  word: type,
  label,
  place: { key: 'databases', entries: 'list' },
  fixed: { type },
  fields: [...Object.keys(databaseFields).filter((field) => field !== 'type'), ...fieldsOf(connection)],
  schema: connection,
  secrets,
  isFile: place === 'file',
})

const sourceKind = ({ key, kind, entries, config, secrets }: SourceRules): EntryKind => ({
  kind,
  word: kind,
  label: kind,
  place: { key, entries },
  fixed: {},
  fields: fieldsOf(config),
  schema: config,
  secrets,
  isFile: false,
})

/** The kind that a word names: the type of a database, or what a source or its list is called. */
export const kindNamed = (word: string, rules: ContextRules): EntryKind | undefined =>
  entryKinds(rules).find((one) => one.word === word.toLowerCase() || one.place.key === word.toLowerCase())

/** `postgres host=db database=crm port=5433`: fields by name, read as their schema wants them. */
export function proposeByFields(kind: EntryKind, pairs: readonly string[]): Proposal {
  const given: Record<string, unknown> = {}
  for (const pair of pairs) {
    const [, field, text] = /^([A-Za-z]\w*)=(.*)$/s.exec(pair) ?? []
    if (field === undefined || text === undefined)
      throw new AppError('invalid_input', `"${withoutLogin(pair)}" is no field of ${kind.word}.`, {
        hint: `Write field=value; ${kind.word} has ${kind.fields.join(', ')}.`,
      })
    if (!kind.fields.includes(field))
      throw new AppError('invalid_input', `${kind.word} has no field "${field}".`, {
        hint: didYouMean(field, kind.fields),
      })
    const value = asWanted(kind, field, text)
    const before = given[field]
    given[field] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return { kind, fields: given }
}

/** `duckdb:shop.duckdb`, `docs:../handbook`: what one path or one address is enough for. */
export function proposeByPlace(kind: EntryKind, where: string): Proposal {
  const isAddress = /^[a-z][a-z+]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(where)
  const takes = (field: string): boolean => kind.fields.includes(field)
  const field =
    kind.isFile || (takes('path') && !(isAddress && takes('url'))) ? 'path' : takes('url') ? 'url' : undefined
  if (field === undefined)
    throw new AppError('invalid_input', `One address is not enough for ${kind.label}.`, {
      hint: `Write \`ken source add ${kind.word} field=value …\`; it has ${kind.fields.join(', ')}.`,
    })
  return { kind, fields: { [field]: where } }
}

const FITS = ['certain', 'likely', 'possible'] as const

/** What a thing is by what it shows; undefined when no kind knows it. */
export function proposePointed(pointed: Pointed, rules: ContextRules): Proposal | undefined {
  const known = [...rules.warehouses, ...rules.sources].flatMap((definition, at) => {
    const recognised = definition.recognise?.(pointed)
    return recognised === undefined ? [] : [{ ...recognised, kind: entryKinds(rules)[at]! }]
  })
  const best = FITS.flatMap((fit) => known.filter((one) => one.fit === fit))[0]
  if (best !== undefined) return { kind: best.kind, fields: best.entry as Fields, fit: best.fit }
  return pointed.is === 'address' ? byScheme(pointed.where, rules) : undefined
}

/** `snowflake://user@account/database/schema`: the type is the scheme, the parts are its fields. */
function byScheme(address: string, rules: ContextRules): Proposal | undefined {
  const scheme = /^([a-z][a-z0-9]*)(?:\+[a-z0-9]+)?:\/\//i.exec(address)?.[1]?.toLowerCase()
  const kind = entryKinds(rules).find(
    (one) => one.kind === 'database' && one.word === (SCHEMES[scheme ?? ''] ?? scheme),
  )
  return kind && { kind, fields: addressFields(address, kind.fields) }
}

/** What other tools call them. */
const SCHEMES: Readonly<Record<string, string>> = { sqlserver: 'mssql' }

/** A text as the type that a field wants; one that cannot be read so stays a text, and the schema says what is wrong. */
export function asWanted({ kind, schema }: Pick<EntryKind, 'kind' | 'schema'>, field: string, text: string): unknown {
  const whole = kind === 'database' ? z.looseObject(databaseFields) : undefined
  const property = propertyOf(schema, field) ?? (whole && propertyOf(whole, field))
  const types = typesOf(property)
  if (/^\$\{\w+(?::-[^}]*)?\}$/.test(text) && !types.has('array')) return text
  if (types.has('array'))
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if ((types.has('integer') || types.has('number')) && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  return text
}

interface JsonSchema {
  readonly type?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const propertyOf = (schema: z.ZodType, field: string): JsonSchema | undefined =>
  (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties?.[field]

function typesOf(schema: JsonSchema | undefined): ReadonlySet<string> {
  const inner = schema?.anyOf?.flatMap((one) => [...typesOf(one)]) ?? []
  return new Set([...(schema?.type === undefined ? [] : [schema.type]), ...inner])
}
