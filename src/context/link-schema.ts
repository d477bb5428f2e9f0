import { rememberRecent, type RecentValues } from '../kernel/domain/recent-values.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { unframe } from './domain/context-project/framed-file.ts'
import { entryKey, type CompiledTable, type ManifestEntry } from './domain/context-project/manifest.ts'
import { hiddenAmong } from './domain/context-project/name-glob.ts'
import { maskedColumns, refusedColumns } from './domain/personal/masked-columns.ts'
import { personalChoice, refusedToAgents } from './domain/personal/policy.ts'
import { readColumnsPage, type ColumnsPage } from './domain/schema/columns-page.ts'
import { openTableLinker, type LinkedTable, type SchemaEdge, type TableLinker } from './domain/schema/link-tables.ts'
import { packSchema, type PackedJoin, type PackedTable } from './domain/schema/pack-schema.ts'
import { openValueIndex, type IndexedColumn, type NamedValue, type ValueIndex } from './domain/values/value-index.ts'
import type { ContextProject } from './ports/context-project.ts'

export interface SchemaQuestion {
  readonly question: string
  /** Only tables of this database, by its name in ken.yaml. */
  readonly database?: string | undefined
  readonly most: number
  /** Further tables follow with less detail, as far as they fit: a small schema is shown whole. */
  readonly isFilled?: boolean
}

interface LinkedSchema {
  /** Entries of the tables that the question probably needs, most certain first. */
  readonly entries: readonly ManifestEntry[]
  /** Content of the files about these tables, packed into this many tokens. */
  pack(tokens: number): Promise<string>
}

/** Finds the tables of the compiled context that a question needs, by words, meaning and joins, without a model. */
export async function linkSchema(
  project: ContextProject,
  { question, database, most, isFilled = false }: SchemaQuestion,
  embedder: Embedder | undefined,
): Promise<LinkedSchema> {
  const entries = [...(await project.tree.load()).values()].filter(
    (entry) => entry.table !== undefined && (database === undefined || entry.table.connection === database),
  )
  const tables = entries.map((entry) => entry.table!)
  const { linker, index } = await linkerOf(project, entries, embedder)
  const named = index.find(question)
  const found = await linker.link(question, isFilled ? tables.length : most, named)
  const linked = isFilled ? [...found, ...others(tables, found)] : found
  return {
    entries: found.slice(0, most).map(({ table }) => entries[table]!),
    async pack(tokens) {
      const several = new Set(tables.map(({ connection }) => connection)).size > 1
      const title = (table: CompiledTable): string => `${several ? `${table.connection}: ` : ''}${nameOf(table)}`
      const detailed = Math.max(most, Math.ceil(tokens / TOKENS_OF_A_TABLE))
      const shown = linked.slice(0, Math.max(detailed, Math.ceil(tokens / LEAST_TOKENS_OF_A_TABLE)))
      const packed = await Promise.all(
        shown.map(async (one, at): Promise<PackedTable> => {
          const entry = entries[one.table]!
          const page = at < detailed ? await pageOf(project, entry) : NO_PAGE
          const closed = closedColumns(project, entry.table!, tables)
          return packedTable(entry.table!, page, { one, title, named, closed, best: linked[0]!.score })
        }),
      )
      const joins = inferredAmong(
        shown.map(({ table }) => tables[table]!),
        title,
      )
      return packSchema(packed, joins, tokens)
    },
  }
}

/** All tables of the context, and the values of their columns that a question names. */
export async function valuesOfQuestion(
  project: ContextProject,
  question: string,
  embedder: Embedder | undefined,
): Promise<{ readonly tables: readonly CompiledTable[]; readonly values: readonly NamedValue[] }> {
  const entries = [...(await project.tree.load()).values()].filter(({ table }) => table !== undefined)
  const { index } = await linkerOf(project, entries, embedder)
  return { tables: entries.map(({ table }) => table!), values: index.find(question) }
}

/** Average cost of a table with all its columns, and the minimum cost of a table. */
const TOKENS_OF_A_TABLE = 75
const LEAST_TOKENS_OF_A_TABLE = 10
/** Score of the other tables relative to the best match, low enough to take no room from it. */
const UNLINKED = 0.02

function others(tables: readonly CompiledTable[], found: readonly LinkedTable[]): readonly LinkedTable[] {
  const known = new Set(found.map(({ table }) => table))
  const score = UNLINKED * (found.at(-1)?.score ?? 1)
  return tables.flatMap(({ columns }, table) =>
    known.has(table) ? [] : [{ table, score, columns: columns.map(() => 0) }],
  )
}

// A linker for five thousand tables takes some tens of megabytes. It embeds questions, so it lives with its embedder.
const linkers = new WeakMap<object, RecentValues<Promise<OpenLinker>>>()
const WITHOUT_EMBEDDER = {}

interface OpenLinker {
  readonly linker: TableLinker
  readonly index: ValueIndex
}

function linkerOf(
  project: ContextProject,
  entries: readonly ManifestEntry[],
  embedder: Embedder | undefined,
): Promise<OpenLinker> {
  const state = sha256(
    entries.map(({ item, checked_at, fingerprint }) => `${item}\n${checked_at}\n${fingerprint}`).join('\n'),
  )
  const rules = JSON.stringify(project.config.databases)
  const key = [project.root, state, rules].join('\n')
  const recent = linkers.get(embedder ?? WITHOUT_EMBEDDER) ?? rememberRecent<Promise<OpenLinker>>(2)
  linkers.set(embedder ?? WITHOUT_EMBEDDER, recent)
  const linker = recent.get(key) ?? openLinker(project, entries, embedder)
  recent.set(key, linker)
  // A failure is not kept: the next question tries again.
  linker.catch(() => recent.drop(key))
  return linker
}

async function openLinker(
  project: ContextProject,
  entries: readonly ManifestEntry[],
  embedder: Embedder | undefined,
): Promise<OpenLinker> {
  const tables = entries.map(({ table }) => table!)
  const knows = (word: string): boolean => embedder?.knows(word) ?? false
  const columns = entries.map(async (entry, table) => {
    const kept = await project.values.of(entryKey(entry.source, entry.item))
    return entry.table!.columns.flatMap(({ name, values }, column) => {
      // Without a sync on this machine, only the values that the files list are known.
      const own = kept.find((one) => one.name === name) ?? (values === undefined ? undefined : { name, values })
      return own === undefined || !mayShow(project, entry.table!, own)
        ? []
        : [[table, column, own] satisfies [number, number, IndexedColumn]]
    })
  })
  return {
    index: openValueIndex((await Promise.all(columns)).flat(), knows),
    linker: await openTableLinker(tables, {
      edges: edgesOf(tables),
      knows,
      embed: embedder === undefined ? undefined : (texts) => embedder.embed(texts, 'document'),
    }),
  }
}

/** Applies the current hide and mask settings of ken.yaml, even before the next sync. */
function mayShow({ config }: ContextProject, table: CompiledTable, { name, isHeldBack }: IndexedColumn): boolean {
  const database = config.databases.find((one) => one.name === table.connection)
  if (database === undefined) return true
  const refused = refusedToAgents(database.personal, table, [name])
  if (hiddenAmong([name], table, database).length + refused.length > 0) return false
  return isHeldBack === true || personalChoice(database.personal, table, name) !== 'mask'
}

/**
 * A declared key and a column named after a table are reliable joins; a name that two tables share is less reliable.
 */
const SURE = { name: 1, key: 0.8, alike: 0.6, shared: 0.2 } as const

function edgesOf(tables: readonly CompiledTable[]): readonly SchemaEdge[] {
  const places = new Map(tables.map((table, i) => [placeOf(table, nameOf(table)), i]))
  const edge = (from: number, table: CompiledTable, to: string, weight: number): readonly SchemaEdge[] => {
    const target = places.get(placeOf(table, to))
    return target === undefined ? [] : [{ from, to: target, weight }]
  }
  return tables.flatMap((table, i) => [
    ...table.foreign_keys.flatMap((key) => edge(i, table, key.table, 1)),
    ...(table.inferred_joins ?? []).flatMap((join) => edge(i, table, join.table, SURE[join.why])),
  ])
}

const NO_PAGE: ColumnsPage = { about: '', lines: new Map() }

async function pageOf(project: ContextProject, { files }: ManifestEntry): Promise<ColumnsPage> {
  const file = files.find(({ path }) => path.endsWith('/columns.md'))
  const text = file === undefined ? '' : await project.files.read(file.path).catch(() => '')
  return readColumnsPage(unframe(text) ?? text)
}

function packedTable(
  table: CompiledTable,
  page: ColumnsPage,
  {
    one,
    title,
    named,
    closed,
    best,
  }: {
    readonly one: LinkedTable
    readonly title: (table: CompiledTable) => string
    readonly named: readonly NamedValue[]
    readonly closed: ReadonlyMap<string, string>
    readonly best: number
  },
): PackedTable {
  const keys = new Set([
    ...table.primary_key,
    ...table.foreign_keys.flatMap((key) => key.columns),
    ...(table.inferred_joins ?? []).map(({ column }) => column),
  ])
  return {
    name: title(table),
    share: one.score / best,
    about: page.about,
    columns: table.columns.map(({ name, type }, i) => {
      const least = `- ${name}: ${type}`
      const line = `${page.lines.get(name) ?? least}${closed.get(name) ?? ''}${valuesNamed(named, one.table, i)}`
      return {
        name,
        line,
        isKey: keys.has(name),
        score: one.columns[i] ?? 0,
        ...(line === least && { onlyType: type }),
      }
    }),
  }
}

/** Note for agents on columns of personal data without values, so that they do not try to read them. */
function closedColumns(
  { config }: ContextProject,
  table: CompiledTable,
  all: readonly CompiledTable[],
): ReadonlyMap<string, string> {
  const { personal } = config.databases.find(({ name }) => name === table.connection) ?? {}
  if (personal === undefined) return new Map()
  return new Map([
    ...maskedColumns(table, all, personal).map((name) => [name, ' · masked in results, can be filtered'] as const),
    ...refusedColumns(table, all, personal).map((name) => [name, ' · may not be read'] as const),
  ])
}

const SHOWN_VALUES = 3

/** Values of a column that a question names. */
function valuesNamed(named: readonly NamedValue[], table: number, column: number): string {
  const values = named.flatMap(({ places }) =>
    places.flatMap((place) => (place.table === table && place.column === column ? [place.value] : [])),
  )
  if (values.length === 0) return ''
  const shown = [...new Set(values)].slice(0, SHOWN_VALUES)
  return ` (has ${shown.map((value) => (value === undefined ? 'it, in another spelling' : `'${visibleLine(value)}'`)).join(', ')})`
}

/** Inferred joins among tables; declared ones are listed with their columns. */
function inferredAmong(
  tables: readonly CompiledTable[],
  named: (table: CompiledTable) => string,
): readonly PackedJoin[] {
  const known = new Map(tables.map((table) => [placeOf(table, nameOf(table)), table]))
  return tables.flatMap((table) =>
    (table.inferred_joins ?? []).flatMap(({ column, table: to, referenced }) => {
      const other = known.get(placeOf(table, to))
      if (other === undefined) return []
      return [{ from: named(table), to: named(other), on: `${nameOf(table)}.${column} = ${to}.${referenced}` }]
    }),
  )
}

const nameOf = (table: CompiledTable): string => `${table.schema}.${table.name}`
const placeOf = ({ connection }: CompiledTable, name: string): string => JSON.stringify([connection, name])
