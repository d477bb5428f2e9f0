import type { ForeignKey, TableRef } from '../sql/catalogue.ts'
import { isAbbreviation, singular, type IdentifierWords } from './identifier-words.ts'

/** Facts about a table before any of its rows is read. */
export interface JoinableTable extends TableRef {
  /** A view is joined from, never to: its key is in another table. */
  readonly isView: boolean
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly indexes: readonly { readonly columns: readonly string[]; readonly unique: boolean }[]
}

/** An undeclared join, from one column to the column it probably refers to. */
export interface InferredJoin {
  readonly from: TableRef
  readonly column: string
  readonly to: TableRef
  readonly referenced: string
  /**
   * `name`: the column is named after the table it refers to. `key`: it has the name of that table's key. `shared`:
   * both tables have it, and neither owns it. `alike`: the same unusual name, which only rows can confirm.
   */
  readonly why: 'name' | 'key' | 'shared' | 'alike'
}

/** Joins suggested by the names and types of columns, without declared ones. */
export function inferJoins(tables: readonly JoinableTable[], words: IdentifierWords): readonly InferredJoin[] {
  const catalogue = readCatalogue(tables, words)
  const found = new Map<string, InferredJoin>()
  const declared = new Set(
    tables.flatMap((table) => table.foreignKeys.flatMap((key) => key.columns.map((column) => placeOf(table, column)))),
  )
  const add = (join: InferredJoin): void => {
    const [one, other] = [placeOf(join.from, join.column), placeOf(join.to, join.referenced)]
    const key = one < other ? `${one}\n${other}` : `${other}\n${one}`
    if (one !== other && !declared.has(one) && !found.has(key)) found.set(key, join)
  }
  for (const column of catalogue.columns) for (const join of byEntity(column, catalogue)) add(join)
  // Two tables that refer to a third need no direct join.
  const refers = new Set([
    ...declared,
    ...[...found.values()].filter(({ why }) => why === 'name').map(({ from, column }) => placeOf(from, column)),
  ])
  const isFree = ({ table, name }: ReadColumn): boolean => !refers.has(placeOf(table.ref, name))
  for (const group of catalogue.sameName.values()) {
    for (const join of bySameName(group.filter(isFree), catalogue)) add(join)
  }
  for (const join of byKeyName(catalogue.columns.filter(isFree), catalogue)) add(join)
  return [...found.values()]
}

const KEY_WORDS: ReadonlySet<string> = new Set(
  'id key code no nr num number uuid guid sk fk pk ref cd oid sid sku'.split(' '),
)

/** Columns of nearly every table; the same name is not evidence here. */
const COMMON: ReadonlySet<string> = new Set(
  `id key code uuid guid name title status state type kind number no description comment note notes value label position
  rank sort order active deleted version created updated modified created_at updated_at created_by updated_by user date
  amount quantity price email phone city country currency language gender first_name last_name year month day level
  external_id source`.split(/\s+/),
)

interface ReadColumn {
  readonly table: ReadTable
  readonly name: string
  readonly family: Family
  /** The entity it is the key of: `billing address` for `billing_address_id`; empty for a bare `id`. */
  readonly body: readonly string[]
  readonly tail: string | undefined
}

interface ReadTable {
  readonly ref: JoinableTable
  /** Its name in the singular, with and without a prefix such as `dim` or `stg`. */
  readonly names: readonly (readonly string[])[]
  readonly columns: readonly ReadColumn[]
  /** Columns that alone form a key. */
  readonly keys: ReadonlySet<string>
}

interface ReadCatalogue {
  readonly tables: readonly ReadTable[]
  readonly columns: readonly ReadColumn[]
  readonly sameName: ReadonlyMap<string, readonly ReadColumn[]>
  /** Tables by the last word of their names. */
  readonly byLastWord: ReadonlyMap<string, readonly ReadTable[]>
  /** Last words of table names that `short` may abbreviate. */
  wordsFor(short: string): readonly string[]
}

function readCatalogue(tables: readonly JoinableTable[], words: IdentifierWords): ReadCatalogue {
  const read = tables.map((table) => readTable(table, words))
  const columns = read.flatMap((table) => table.columns)
  const byLastWord = new Map<string, ReadTable[]>()
  for (const table of read) {
    for (const last of new Set(table.names.map((name) => name.at(-1)!))) {
      const list = byLastWord.get(last)
      if (list === undefined) byLastWord.set(last, [table])
      else list.push(table)
    }
  }
  const byLetter = Map.groupBy(byLastWord.keys(), (word) => word[0])
  const meant = new Map<string, readonly string[]>()
  return {
    tables: read,
    columns,
    byLastWord,
    wordsFor(short) {
      let words = meant.get(short)
      if (words === undefined)
        meant.set(short, (words = byLetter.get(short[0])?.filter((word) => isAbbreviation(short, word)) ?? []))
      return words
    },
    sameName: Map.groupBy(
      columns.filter(({ table }) => !table.ref.isView),
      (column) => `${column.family} ${column.name.toLowerCase()}`,
    ),
  }
}

const PREFIXES: ReadonlySet<string> = new Set('dim fct fact stg int raw tbl tb t v vw view mv d f'.split(' '))

function readTable(ref: JoinableTable, words: IdentifierWords): ReadTable {
  const name = words.of(ref.name).map(singular)
  const bare = name.length > 1 && PREFIXES.has(name[0]!) ? name.slice(1) : name
  const columns: ReadColumn[] = []
  const table: ReadTable = {
    ref,
    names: [name, ...(bare === name ? [] : [bare])].filter((one) => one.length > 0),
    columns,
    keys: new Set([
      ...(ref.primaryKey.length === 1 ? ref.primaryKey : []),
      ...ref.indexes.filter(({ unique, columns: of }) => unique && of.length === 1).map(({ columns: of }) => of[0]!),
    ]),
  }
  for (const { name: column, type } of ref.columns) {
    const family = familyOf(type)
    if (family === undefined) continue
    const parts = words.of(column).map(singular)
    const tail = KEY_WORDS.has(parts.at(-1) ?? '') ? parts.at(-1) : undefined
    columns.push({ table, name: column, family, body: tail === undefined ? parts : parts.slice(0, -1), tail })
  }
  return table
}

type Family = 'number' | 'text'

/** Possible key types. Dates, fractions, booleans and documents are excluded. */
function familyOf(type: string): Family | undefined {
  if (
    /\[\]|^(?:timestamp|date|time|bool|json|real|float|double|money|bytea|blob|struct|map|list|array|interval|geo)/i.test(
      type,
    )
  )
    return undefined
  if (/^(?:tinyint\(1\)|bit)/i.test(type)) return undefined
  if (/int|serial|^(?:number|numeric|decimal)(?:\(\d+(?:,\s*0)?\))?(?:\s|$)/i.test(type)) return 'number'
  return /char|text|string|uuid|uniqueidentifier|clob|enum|^$/i.test(type) ? 'text' : undefined
}

/** `billing_address_id` → addresses.id, `customer` → customers.id, `cust_no` → customers.cust_no. */
function byEntity(column: ReadColumn, catalogue: ReadCatalogue): readonly InferredJoin[] {
  if (column.body.length === 0) return []
  return nearest(column, entitiesOf(column, catalogue)).map(({ table, key, isSure }) => ({
    from: column.table.ref,
    column: column.name,
    to: table.ref,
    referenced: key,
    why: isSure ? ('name' as const) : ('alike' as const),
  }))
}

interface Fit {
  readonly table: ReadTable
  readonly key: string
  /**
   * How many words of the column name the table explains; an abbreviation or a part of the table's name explains
   * slightly less.
   */
  readonly explained: number
  /** False if only rows can decide. */
  readonly isSure: boolean
}

function entitiesOf(column: ReadColumn, { byLastWord, wordsFor }: ReadCatalogue): readonly Fit[] {
  const last = column.body.at(-1)!
  const fits: Fit[] = []
  const consider = (table: ReadTable, share: number): void => {
    if (table.ref.isView) return
    // A number column that merely has the name of a table in another schema is a count.
    if (column.tail === undefined && column.family === 'number' && table.ref.schema !== column.table.ref.schema) return
    const [name] = table.names
    const known = [...table.names, ...familiarNames(table, column.table)]
    const fit = known.find((one) => matchingEnd(column.body, one) === one.length)
    const isEnd = fit === undefined && column.tail !== undefined && endsAlike(name!, column.body)
    if (fit === undefined && !isEnd) return
    const key = keyFor(column, table)
    const isSame = key?.toLowerCase() === column.name.toLowerCase()
    if (key === undefined || (isEnd && isSame)) return
    const explained = fit === undefined ? column.body.length * PART : fit.length + (fit === name ? WHOLE : 0)
    const isHere = table.ref.schema === column.table.ref.schema
    const isTold = column.tail !== undefined || (column.family === 'text' && fit === name)
    fits.push({
      table,
      key,
      explained: explained * share + (isSame && isHere ? SAME : 0),
      isSure: fit !== undefined && isTold,
    })
  }
  for (const table of byLastWord.get(last) ?? []) consider(table, 1)
  if (fits.length === 0)
    for (const word of wordsFor(last)) for (const table of byLastWord.get(word)!) consider(table, ABBREVIATED)
  return fits
}

const PART = 0.5
const SAME = 0.5
const WHOLE = 0.1
const ABBREVIATED = 0.9

/** Names of a table within its group: `fac_building` is the building of `fac_floor`. */
function familiarNames(table: ReadTable, asking: ReadTable): readonly (readonly string[])[] {
  const shared = sharedBeginning(table, asking)
  const [name] = table.names
  return table !== asking && shared > 0 && shared < name!.length ? [name!.slice(shared)] : []
}

/** Number of words at the end of a column's body that match a table's name. */
function matchingEnd(body: readonly string[], name: readonly string[]): number {
  if (name.length > body.length) return 0
  const end = body.slice(body.length - name.length)
  return end.every((word, i) => word === name[i] || isAbbreviation(word, name[i]!)) ? name.length : 0
}

/** The column of a table that this column would refer to; undefined if this column is the table's key. */
function keyFor(column: ReadColumn, { ref, columns, keys }: ReadTable): string | undefined {
  const isOwn = column.table.ref === ref
  const same = columns.find(
    (one) => one.name.toLowerCase() === column.name.toLowerCase() && one.family === column.family,
  )
  if (same !== undefined && !isOwn) return same.name
  // `category_id` of categories is that table's key, `parent_category_id` refers to it.
  if (isOwn && (keys.has(column.name) || column.body.length === column.table.names.at(-1)!.length)) return undefined
  const candidates = columns.filter(({ name, family }) => family === column.family && !(isOwn && name === column.name))
  const byName = candidates.find(
    ({ body, tail }) => tail !== undefined && body.length === 0 && tail === (column.tail ?? tail),
  )
  const byKey = candidates.find(({ name }) => keys.has(name))
  const own = candidates.find(
    ({ body, tail }) => tail !== undefined && tail === column.tail && body.length > 0 && endsAlike(body, column.body),
  )
  if (column.tail === undefined && !isShortName(column)) return undefined
  return (byKey ?? byName ?? own)?.name
}

/** A column without a key word refers to a table only if its name is short. */
const isShortName = ({ body }: ReadColumn): boolean => body.length <= 2

const endsAlike = (one: readonly string[], other: readonly string[]): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.every((word, i) => word === long[long.length - short.length + i])
}

/** The tables that explain most of a name; if several do, those in the same schema or with the most similar name. */
function nearest(column: ReadColumn, fits: readonly Fit[]): readonly Fit[] {
  const most = Math.max(0, ...fits.map(({ explained }) => explained))
  const best = fits.filter(({ explained }) => explained === most)
  if (best.length <= 1) return best
  const here = best.filter(({ table }) => table.ref.schema === column.table.ref.schema)
  const pool = here.length > 0 ? here : best
  if (pool.length === 1) return pool
  const alike = Math.max(...pool.map(({ table }) => sharedBeginning(table, column.table)))
  const closest = pool.filter(({ table }) => sharedBeginning(table, column.table) === alike)
  if (closest.length === 1) return closest
  // Ambiguous name: only rows can decide which table is meant.
  return closest.slice(0, MOST_MEANT).map((fit) => ({ ...fit, isSure: false }))
}

const MOST_MEANT = 3

function sharedBeginning(one: ReadTable, other: ReadTable): number {
  const [a, b] = [one.names[0]!, other.names[0]!]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}

/**
 * `home_team_api_id` and `team_api_id2` → team_api_id, `cds` → cds_code: keys with a role in their name, which only
 * rows can confirm.
 */
function byKeyName(columns: readonly ReadColumn[], { tables }: ReadCatalogue): readonly InferredJoin[] {
  const keys = tables
    .filter(({ ref }) => !ref.isView)
    .flatMap((table) => table.columns.filter(({ name, body }) => table.keys.has(name) && body.length > 0))
  const byWord = Map.groupBy(keys, ({ body }) => body.at(-1)!)
  return columns.flatMap((column) => {
    const parts = partsOf(column)
    const body = KEY_WORDS.has(parts.at(-1)!) ? parts.slice(0, -1) : parts
    if (body.length === 0 || COMMON.has(column.name.toLowerCase())) return []
    const meant = (byWord.get(body.at(-1)!) ?? []).filter((key) => {
      if (key.family !== column.family || key.name.toLowerCase() === column.name.toLowerCase()) return false
      const wanted = partsOf(key)
      const isRole = parts.length > wanted.length && wanted.length > 1 && endsAlike(wanted, parts)
      return isRole || parts.join(' ') === wanted.join(' ') || body.join(' ') === key.body.join(' ')
    })
    return meant.length > MOST_MEANT ? [] : meant.map((key) => joinOf(column, key, 'alike'))
  })
}

/** The words of a name without a number at its end. */
function partsOf({ body, tail }: ReadColumn): readonly string[] {
  const words = [...body, ...(tail === undefined ? [] : [tail])]
  const last = words.at(-1)!.replace(/\d+$/, '')
  return [...words.slice(0, -1), ...(last === '' ? [] : [last])]
}

// A key shared by forty tables, such as a date or a tenant, joins all of them and is not evidence for any two.
const MOST_SHARING = 20

function bySameName(group: readonly ReadColumn[], { tables }: ReadCatalogue): readonly InferredJoin[] {
  const [first] = group
  if (first === undefined || group.length < 2) return []
  const name = first.name.toLowerCase()
  if (COMMON.has(name) || group.length > Math.max(3, tables.length * 0.3)) return []
  const isKeyName = first.tail !== undefined && first.body.length > 0
  const keyed = group.filter((column) => column.table.keys.has(column.name))
  const owners =
    keyed.length > 0 || !isKeyName ? keyed : group.filter(({ table }) => endsAlike(table.names[0]!, first.body))
  if (owners.length === 0 && !isKeyName) return pairs(group).map(([from, to]) => joinOf(from, to, 'alike'))
  if (owners.length === 0)
    return group.length > MOST_SHARING ? [] : pairs(group).map(([from, to]) => joinOf(from, to, 'shared'))
  const owner = owners.toSorted((a, b) => a.table.ref.name.length - b.table.ref.name.length)[0]!
  return group.filter((column) => column !== owner).map((column) => joinOf(column, owner, isKeyName ? 'key' : 'alike'))
}

const MOST_ALIKE = 6

function pairs(group: readonly ReadColumn[]): readonly (readonly [ReadColumn, ReadColumn])[] {
  if (group[0]!.tail === undefined && group.length > MOST_ALIKE) return []
  return group.flatMap((from, i) => group.slice(i + 1).map((to) => [from, to] as const))
}

const joinOf = (from: ReadColumn, to: ReadColumn, why: InferredJoin['why']): InferredJoin => ({
  from: from.table.ref,
  column: from.name,
  to: to.table.ref,
  referenced: to.name,
  why,
})

const placeOf = (table: TableRef, column: string): string => JSON.stringify([table.schema, table.name, column])
