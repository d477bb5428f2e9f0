import type { DatabaseConfig } from '../core/context-project/config.ts'
import { GENERATOR, type CompiledTable } from '../core/context-project/manifest.ts'
import { hiddenPatterns, isTaken } from '../core/context-project/name-glob.ts'
import { safeSegment } from '../core/context-project/safe-segment.ts'
import { AppError } from '../core/errors.ts'
import { examplesDocument } from '../core/examples/examples-document.ts'
import { sha256 } from '../core/sha256.ts'
import { TABLE_TEMPLATES } from '../core/sources/table-templates.ts'
import { tablesRead, type ReadQuery } from '../core/sources/table-usage.ts'
import { withoutValues } from '../core/sql/engine-message.ts'
import { withSyncComment, SYNC_COMMENT } from '../core/sql/query.ts'
import type { Source, SourceDocument, SourceItem } from '../ports/source.ts'
import type { TableDetails, TableSummary, Warehouse } from '../ports/warehouse.ts'
import { historyExamples, judgeExamples, type DatabaseExamples, type ExampleParts } from './database-examples.ts'
import { hiddenColumns, SUMMARY, writeDocuments, type DocumentParts } from './table-documents.ts'

const HISTORY = 1_000

/** The tables of one database, each with its documents. */
export function openDatabaseSource(given: DocumentParts & ExampleParts): Source {
  const parts = { ...given, warehouse: marked(given.warehouse) }
  const { config, warehouse } = parts
  const unknown = config.documents.find(
    (document) => document !== SUMMARY && !parts.overrides.has(document) && TABLE_TEMPLATES[document] === undefined,
  )
  if (unknown !== undefined)
    throw new AppError('invalid_input', `databases "${config.name}": there is no document "${unknown}".`, {
      hint: `Use ${Object.keys(TABLE_TEMPLATES).join(', ')} or ai_summary, or add templates/${unknown}.md.liquid.`,
    })
  const tables = new Map<string, TableSummary>()
  let history: Promise<readonly ReadQuery[]> | undefined
  let examples: DatabaseExamples | undefined
  return {
    async list() {
      const all = await warehouse.tables()
      const taken = all.filter((table) => isTaken(`${table.schema}.${table.name}`, config))
      const rules = rulesHash(parts)
      examples = await judgeExamples(taken, parts)
      const asked = examples
      const items = taken.map((table): SourceItem => {
        tables.set(idOf(table), table)
        const questions = asked.questionsOf(table)
        const fingerprint = [
          table.fingerprint,
          rules,
          ...hiddenPatterns(table, config),
          ...(questions.length > 0 && config.documents.includes('how_to_use') ? [hashOf(questions)] : []),
        ].join('-')
        return {
          id: idOf(table),
          title: `${table.schema}.${table.name}`,
          path: pathOf(config.type, table),
          fingerprint,
          maxAgeDays: maxAge(config),
        }
      })
      const page = examplesItem(taken, examples, parts)
      return { items: page === undefined ? items : [...items, page], skipped: [], examples: examples.judged }
    },
    async fetch(item) {
      if (item.id === EXAMPLES) {
        history ??= readHistory(warehouse)
        const often = await historyExamples(await history, [...tables.values()], parts)
        return { documents: examplesPage(config.name, examples?.own ?? [], often), table: undefined }
      }
      const summary = tables.get(item.id)
      if (summary === undefined) throw new AppError('not_found', `there is no table ${item.title}`)
      history ??= readHistory(warehouse)
      const table = await warehouse.describe(summary)
      const { secret, ...written } = await writeDocuments(table, await history, {
        ...parts,
        questionsOf: (ref) => examples?.questionsOf(ref) ?? [],
      })
      return { ...written, table: { ...compiled(table, config), secret: [...secret] } }
    },
    close: () => warehouse.close(),
  }
}

/** No table is called so: each has a schema before its name. */
const EXAMPLES = 'examples'
// They keep no history, so that without examples of people there is nothing to write.
const FORGETFUL: ReadonlySet<string> = new Set(['duckdb', 'sqlite'])

/** The page of all examples, which lies beside the schemas. */
function examplesItem(
  taken: readonly TableSummary[],
  { own }: DatabaseExamples,
  { config }: DocumentParts,
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

function examplesPage(
  database: string,
  own: DatabaseExamples['own'],
  often: readonly string[],
): readonly SourceDocument[] {
  if (own.length + often.length === 0) return []
  return [{ name: 'examples.md', text: examplesDocument(database, own, often), framed: true }]
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 8)

const idOf = (table: TableSummary): string => `${table.schema}.${table.name}`

function pathOf(type: string, table: TableSummary): string {
  return [databasePath(type, table), `schema=${safeSegment(table.schema)}`, `table=${safeSegment(table.name)}`].join(
    '/',
  )
}

const databasePath = (type: string, { database }: TableSummary): string =>
  ['databases', `type=${safeSegment(type)}`, `database=${safeSegment(database)}`].join('/')

/** Changes with everything that decides how a table is written. */
function rulesHash({ config, overrides }: DocumentParts): string {
  const templates = config.documents.map((document) => overrides.get(document)?.text ?? TABLE_TEMPLATES[document] ?? '')
  return sha256(JSON.stringify([config.documents, config.profiling.max_rows, templates, GENERATOR])).slice(0, 8)
}

function maxAge({ documents, profiling }: DatabaseConfig): number | undefined {
  if (!documents.includes('profiling') || profiling.refresh === 'once') return undefined
  return profiling.refresh === 'always' ? 0 : profiling.days
}

/**
 * Statements that can be distinguished from other people's, and whose errors quote no value of a row: they end up in
 * the files.
 */
const marked = (warehouse: Warehouse): Warehouse => ({
  ...warehouse,
  query: (sql, limits, signal) =>
    warehouse.query(withSyncComment(sql), limits, signal).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.details?.['about'] !== 'data') throw error
      throw new AppError(error.code, withoutValues(error.message, { sql, names: [] }), {
        hint: 'The table or view cannot be read as it is; its owner can tell why.',
      })
    }),
})

async function readHistory(warehouse: Warehouse): Promise<readonly ReadQuery[]> {
  const past = (await warehouse.history(HISTORY).catch(() => [])).filter(({ sql }) => !sql.includes(SYNC_COMMENT))
  return Promise.all(past.map(async (query) => ({ query, tables: tablesRead(await warehouse.parse(query.sql)) })))
}

function compiled(table: TableDetails, config: DatabaseConfig): Omit<CompiledTable, 'secret'> {
  const hidden = hiddenColumns(table, config)
  return {
    connection: config.name,
    database: table.database,
    schema: table.schema,
    name: table.name,
    kind: table.kind,
    ...(table.comment !== undefined && { comment: table.comment }),
    ...(table.rows !== undefined && { rows: table.rows.count }),
    columns: table.columns
      .filter(({ name }) => !hidden.includes(name))
      .map(({ name, type, comment }) => ({ name, type, ...(comment !== undefined && { comment }) })),
    hidden: [...hidden],
  }
}
