import { rememberRecent } from '../kernel/domain/recent-values.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { unframe } from './domain/context-project/framed-file.ts'
import type { CompiledTable, ManifestEntry } from './domain/context-project/manifest.ts'
import { readColumnsPage } from './domain/schema/columns-page.ts'
import { openTableLinker, type LinkedTable, type SchemaEdge, type TableLinker } from './domain/schema/link-tables.ts'
import { packSchema, type PackedJoin, type PackedTable } from './domain/schema/pack-schema.ts'
import type { ContextProject } from './ports/context-project.ts'

export interface SchemaQuestion {
  readonly question: string
  /** Only tables of this database, by its name in ken.yaml. */
  readonly database?: string | undefined
  readonly most: number
  /** If there are at most this many tables, the others follow as far as they fit: a small schema is shown whole. */
  readonly whole?: number
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
  { question, database, most, whole = 0 }: SchemaQuestion,
  embedder: Embedder | undefined,
): Promise<LinkedSchema> {
  const entries = [...(await project.tree.load()).values()].filter(
    (entry) => entry.table !== undefined && (database === undefined || entry.table.connection === database),
  )
  const tables = entries.map((entry) => entry.table!)
  const linker = await linkerOf(project.root, entries, embedder)
  const found = await linker.link(question, most)
  const linked = tables.length > whole ? found : [...found, ...others(tables, found)]
  return {
    entries: found.map(({ table }) => entries[table]!),
    async pack(tokens) {
      const several = new Set(tables.map(({ connection }) => connection)).size > 1
      const named = (table: CompiledTable): string => `${several ? `${table.connection}: ` : ''}${nameOf(table)}`
      const packed = await Promise.all(
        linked.map((one) => packedTable(project, entries[one.table]!, { one, named, best: linked[0]!.score })),
      )
      const joins = inferredAmong(
        linked.map(({ table }) => tables[table]!),
        named,
      )
      return packSchema(packed, joins, tokens)
    },
  }
}

/** Score of the other tables relative to the best match, low enough to take no room from it. */
const UNLINKED = 0.02

function others(tables: readonly CompiledTable[], found: readonly LinkedTable[]): readonly LinkedTable[] {
  const known = new Set(found.map(({ table }) => table))
  const score = UNLINKED * (found[0]?.score ?? 1)
  return tables.flatMap(({ columns }, table) =>
    known.has(table) ? [] : [{ table, score, columns: columns.map(() => 0) }],
  )
}

// A linker for five thousand tables takes some tens of megabytes.
const linkers = rememberRecent<Promise<TableLinker>>(2)

function linkerOf(
  root: string,
  entries: readonly ManifestEntry[],
  embedder: Embedder | undefined,
): Promise<TableLinker> {
  const state = sha256(
    entries.map(({ item, checked_at, fingerprint }) => `${item}\n${checked_at}\n${fingerprint}`).join('\n'),
  )
  const key = [root, state, embedder?.id ?? ''].join('\n')
  const before = linkers.get(key)
  if (before !== undefined) return before
  const opened = openTableLinker(
    entries.map(({ table }) => table!),
    {
      edges: edgesOf(entries.map(({ table }) => table!)),
      knows: (word) => embedder?.knows(word) ?? false,
      embed: embedder === undefined ? undefined : (texts) => embedder.embed(texts, 'document'),
    },
  )
  linkers.set(key, opened)
  return opened
}

/** A declared key and a column named after a table are reliable joins; a name shared by two tables less so. */
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

async function packedTable(
  project: ContextProject,
  entry: ManifestEntry,
  {
    one,
    named,
    best,
  }: { readonly one: LinkedTable; readonly named: (table: CompiledTable) => string; readonly best: number },
): Promise<PackedTable> {
  const table = entry.table!
  const file = entry.files.find(({ path }) => path.endsWith('/columns.md'))
  const text = file === undefined ? '' : await project.files.read(file.path).catch(() => '')
  const page = readColumnsPage(unframe(text) ?? text)
  const keys = new Set([
    ...table.primary_key,
    ...table.foreign_keys.flatMap((key) => key.columns),
    ...(table.inferred_joins ?? []).map(({ column }) => column),
  ])
  return {
    name: named(table),
    share: one.score / best,
    about: page.about,
    columns: table.columns.map(({ name, type }, i) => ({
      name,
      line: page.lines.get(name) ?? `- ${name}: ${type}`,
      isKey: keys.has(name),
      score: one.columns[i] ?? 0,
    })),
  }
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
