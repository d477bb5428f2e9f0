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

/** A kind of database or source for which an entry can be written. */
export interface EntryKind {
  /** `database`, or the name of the source. */
  readonly kind: string
  /** Command-line word of the kind: `postgres`, `docs`. */
  readonly word: string
  /** Display name. */
  readonly label: string
  readonly place: EntryPlace
  /** Fields that identify the kind, such as a database's type. */
  readonly fixed: Fields
  readonly fields: readonly string[]
  readonly schema: z.ZodType
  readonly secrets: readonly string[]
  readonly isFile: boolean
}

/** A requested entry for ken.yaml: secrets still plain, and without a name. */
export interface Proposal {
  readonly kind: EntryKind
  readonly fields: Fields
  /** Confidence, if the kind was not given. */
  readonly fit?: Recognised['fit']
}

/** Every kind, in the order of the definitions, databases first. */
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

/** The kind for a word: the type of a database, or the name of a source or its list. */
export const kindNamed = (word: string, rules: ContextRules): EntryKind | undefined =>
  entryKinds(rules).find((one) => one.word === word.toLowerCase() || one.place.key === word.toLowerCase())

/** Proposes an entry from `postgres host=db database=crm port=5433`: fields by name, parsed by their schema. */
export function proposeByFields(kind: EntryKind, pairs: readonly string[]): Proposal {
  const given: Record<string, unknown> = {}
  for (const pair of pairs) {
    const [, field, text] = /^([A-Za-z]\w*)=(.*)$/s.exec(pair) ?? []
    if (field === undefined || text === undefined)
      throw new AppError('invalid_input', `${kind.word} has no field "${withoutLogin(pair)}".`, {
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

/** Proposes an entry from `duckdb:shop.duckdb`, `docs:../handbook`: a kind that needs only a path or an address. */
export function proposeByPlace(kind: EntryKind, where: string): Proposal {
  const isAddress = /^[a-z][a-z+]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(where)
  const takes = (field: string): boolean => kind.fields.includes(field)
  const field =
    kind.isFile || (takes('path') && !(isAddress && takes('url'))) ? 'path' : takes('url') ? 'url' : undefined
  if (field === undefined)
    throw new AppError('invalid_input', `${kind.label} needs more than an address.`, {
      hint: `Write \`ken source add ${kind.word} field=value …\`; it has ${kind.fields.join(', ')}.`,
    })
  return { kind, fields: { [field]: where } }
}

const FITS = ['certain', 'likely', 'possible'] as const

/** Recognises a source by its content; undefined if no kind matches. */
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

/** Schemes of other tools that differ from the type in ken.yaml. */
const SCHEMES: Readonly<Record<string, string>> = { sqlserver: 'mssql' }

/**
 * Converts a text to the type of a field. A text that cannot be converted stays a text, and the schema reports the
 * fault.
 */
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
