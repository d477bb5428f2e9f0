import { sha256 } from '../kernel/domain/sha256.ts'
import type { DatabaseConfig } from './domain/context-project/config.ts'
import { GENERATOR } from './domain/context-project/framed-file.ts'
import { hiddenAmong } from './domain/context-project/name-glob.ts'
import type { Example, JudgedExample } from './domain/examples/example.ts'
import { examplesDocument } from './domain/examples/examples-document.ts'
import { plain } from './domain/examples/examples-document.ts'
import { judgeExample } from './domain/examples/judge-example.ts'
import { withoutLiterals } from './domain/examples/without-literals.ts'
import type { ReadQuery } from './domain/sources/table-usage.ts'
import type { AllowedTable } from './domain/sql/policy.ts'
import { unreadable } from './domain/sql/statement.ts'
import type { SourceDocument, SourceItem } from './ports/source.ts'
import type { TableRef, TableDetails, Warehouse } from './ports/warehouse.ts'
import { databasePath } from './table-paths.ts'

export interface ExampleParts {
  readonly config: DatabaseConfig
  readonly warehouse: Warehouse
  /** Examples that may belong to this database; `isOnly` is set if there is no other database. */
  readonly examples?: { read(): Promise<readonly Example[]>; readonly isOnly: boolean }
}

/** The examples judged against the current tables of one database. */
export interface DatabaseExamples {
  /** All judged examples. */
  readonly judged: readonly JudgedExample[]
  /** Examples that belong to this database. */
  readonly own: readonly JudgedExample[]
  /** The questions that a table helps to answer. */
  questionsOf(table: TableRef): readonly string[]
}

/** Parses every example and checks it against the catalogue just read. Nothing runs on the database. */
export async function judgeExamples(tables: readonly TableDetails[], parts: ExampleParts): Promise<DatabaseExamples> {
  const { config, warehouse, examples } = parts
  const all =
    (await examples?.read())?.filter(({ database }) => database === undefined || database === config.name) ?? []
  const allowed = all.length === 0 ? [] : allowedNow(tables, parts)
  const judged: JudgedExample[] = []
  const questions = new Map<string, string[]>()
  for (const example of all) {
    const parsed =
      example.fault === undefined
        ? await warehouse.parse(example.sql).catch(() => unreadable('it cannot be read'))
        : unreadable(example.fault)
    const { stale, tables: read } = judgeExample(parsed, { dialect: warehouse.dialect, tables: allowed })
    judged.push({ ...example, stale })
    if (stale !== undefined) continue
    for (const table of read)
      questions.set(keyOf(table), [...(questions.get(keyOf(table)) ?? []), plain(example.question)])
  }
  return {
    judged,
    // An example without a database is reported as stale only if it cannot belong to another one.
    own: judged.filter(({ database, stale }) => database !== undefined || examples!.isOnly || stale === undefined),
    questionsOf: (table) => questions.get(keyOf(table)) ?? [],
  }
}

const MOST_TRIED = 200
const MOST_KEPT = 20
const LONGEST = 2_000

/** The most frequently run statements, without their values, if the gate and the schema accept them. */
export async function historyExamples(
  history: readonly ReadQuery[],
  tables: readonly TableDetails[],
  parts: ExampleParts,
): Promise<readonly string[]> {
  const { warehouse } = parts
  const often = history
    .filter(({ query, tables: read }) => query.times > 1 && read.length > 0 && query.sql.length <= LONGEST)
    .toSorted((a, b) => b.query.times - a.query.times || (a.query.sql < b.query.sql ? -1 : 1))
    .slice(0, MOST_TRIED)
  if (often.length === 0) return []
  const allowed = allowedNow(tables, parts)
  const kept = new Set<string>()
  for (const { query } of often) {
    const parsed = await warehouse.parse(query.sql).catch(() => unreadable('it cannot be read'))
    const { stale, tables: read } = judgeExample(parsed, { dialect: warehouse.dialect, tables: allowed })
    const plain = stale === undefined && read.length > 0 ? withoutLiterals(query.sql, warehouse.dialect) : undefined
    if (plain !== undefined && plain !== '') kept.add(plain)
    if (kept.size >= MOST_KEPT) break
  }
  // Run counts change all the time; sorted, the file changes only with the statements.
  return [...kept].toSorted()
}

function allowedNow(tables: readonly TableDetails[], { config }: ExampleParts): readonly AllowedTable[] {
  return tables.map(({ database, schema, name, kind, columns }) => {
    const names = columns.map((column) => column.name)
    const hidden = hiddenAmong(names, { schema, name }, config)
    return {
      database,
      schema,
      name,
      columns: names.filter((column) => !hidden.includes(column)),
      hidden,
      isView: kind !== 'table',
    }
  })
}

/** Item of the examples page. Cannot collide with a table, which has a schema before its name. */
export const EXAMPLES = 'examples'
// Engines without a query history: without hand-written examples there is nothing to write.
const FORGETFUL: ReadonlySet<string> = new Set(['duckdb', 'sqlite'])

/** The page with all examples, beside the schemas. */
export function examplesItem(
  taken: readonly TableDetails[],
  { own }: DatabaseExamples,
  { config }: ExampleParts,
): SourceItem | undefined {
  const [first] = taken
  if (first === undefined || (own.length === 0 && FORGETFUL.has(config.type))) return undefined
  const schema = taken.map(({ schema: name, name: table, fingerprint }) => [name, table, fingerprint])
  return {
    id: EXAMPLES,
    title: EXAMPLES,
    path: databasePath(config.type, first),
    fingerprint: hashOf([GENERATOR, own, config.include, config.exclude, schema]),
    maxAgeDays: undefined,
  }
}

export function examplesPage(
  database: string,
  own: DatabaseExamples['own'],
  often: readonly string[],
): readonly SourceDocument[] {
  if (own.length + often.length === 0) return []
  return [{ name: 'examples.md', text: examplesDocument(database, own, often), framed: true }]
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 8)

const keyOf = ({ schema, name }: TableRef): string => `${schema}.${name}`
