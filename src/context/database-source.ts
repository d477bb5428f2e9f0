import type { DatabaseConfig } from '../core/context-project/config.ts'
import { GENERATOR, type CompiledTable } from '../core/context-project/manifest.ts'
import { hiddenAmong, hiddenPatterns, isTaken } from '../core/context-project/name-glob.ts'
import { safeSegment } from '../core/context-project/safe-segment.ts'
import { AppError } from '../core/errors.ts'
import { sha256 } from '../core/sha256.ts'
import { summaryPrompt, summaryText } from '../core/sources/table-summary.ts'
import { TABLE_TEMPLATES } from '../core/sources/table-templates.ts'
import { tablesRead, usageOf, type ReadQuery } from '../core/sources/table-usage.ts'
import { tableView } from '../core/sources/table-view.ts'
import { withoutValues } from '../core/sql/engine-message.ts'
import { withSyncComment, SYNC_COMMENT } from '../core/sql/query.ts'
import type { ModelDocument, FetchedItem, Source, SourceDocument, SourceItem } from '../ports/source.ts'
import type { Template, Templates } from '../ports/templates.ts'
import type { TableDetails, TableSummary, Warehouse } from '../ports/warehouse.ts'
import { profileTable } from './profile-table.ts'
import { readSample, redactTexts, type Redact, type Sample } from './table-sample.ts'

export interface DatabaseSourceParts {
  readonly config: DatabaseConfig
  readonly warehouse: Warehouse
  readonly templates: Templates
  /** Templates of the project, by document; they stand before the built-in ones. */
  readonly overrides: ReadonlyMap<string, Template>
  readonly redact: Redact
}

const SUMMARY = 'ai_summary'
const SUMMARISED: readonly string[] = ['columns.md', 'profiling.md', 'preview.md']
const HISTORY = 1_000

/** The tables of one database, each with its documents. */
export function openDatabaseSource(given: DatabaseSourceParts): Source {
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
  return {
    async list() {
      const all = await warehouse.tables()
      const taken = all.filter((table) => isTaken(`${table.schema}.${table.name}`, config))
      const rules = rulesHash(parts)
      const items = taken.map((table): SourceItem => {
        tables.set(idOf(table), table)
        const fingerprint = [table.fingerprint, rules, ...hiddenPatterns(table, config)].join('-')
        return {
          id: idOf(table),
          title: `${table.schema}.${table.name}`,
          path: pathOf(config.type, table),
          fingerprint,
          maxAgeDays: maxAge(config),
        }
      })
      return { items, skipped: [] }
    },
    async fetch(item) {
      const summary = tables.get(item.id)
      if (summary === undefined) throw new AppError('not_found', `there is no table ${item.title}`)
      history ??= readHistory(warehouse)
      const table = await warehouse.describe(summary)
      const { secret, ...written } = await writeDocuments(table, await history, parts)
      return { ...written, table: { ...compiled(table, config), secret: [...secret] } }
    },
    close: () => warehouse.close(),
  }
}

const idOf = (table: TableSummary): string => `${table.schema}.${table.name}`

function pathOf(type: string, table: TableSummary): string {
  return [
    'databases',
    `type=${safeSegment(type)}`,
    `database=${safeSegment(table.database)}`,
    `schema=${safeSegment(table.schema)}`,
    `table=${safeSegment(table.name)}`,
  ].join('/')
}

/** Changes with everything that decides how a table is written. */
function rulesHash({ config, overrides }: DatabaseSourceParts): string {
  const templates = config.documents.map((document) => overrides.get(document)?.text ?? TABLE_TEMPLATES[document] ?? '')
  return sha256(JSON.stringify([config.documents, config.profiling.max_rows, templates, GENERATOR])).slice(0, 8)
}

function maxAge({ documents, profiling }: DatabaseConfig): number | undefined {
  if (!documents.includes('profiling') || profiling.refresh === 'once') return undefined
  return profiling.refresh === 'always' ? 0 : profiling.days
}

const hiddenColumns = (table: TableDetails, config: DatabaseConfig): readonly string[] =>
  hiddenAmong(
    table.columns.map((column) => column.name),
    table,
    config,
  )

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

async function writeDocuments(
  table: TableDetails,
  history: readonly ReadQuery[],
  parts: DatabaseSourceParts,
): Promise<Omit<FetchedItem, 'table'> & Pick<Sample, 'secret'>> {
  const { config, warehouse, templates, overrides, redact } = parts
  const hidden = hiddenColumns(table, config)
  const shown = table.columns.filter(({ name }) => !hidden.includes(name))
  const needs = (document: string): boolean =>
    config.documents.includes(document) ||
    [...overrides.values()].some(({ text }) => text.includes(document.replace('profiling', 'profile')))
  const sample = await readSample(
    table,
    shown.map(({ name }) => name),
    { warehouse, redact },
  ).catch((error: unknown) => {
    if (needs('preview')) throw error
    return { preview: null, secret: [], redacted: 0 }
  })
  const scope = {
    table: tableView(await redactTexts(table, redact), { dialect: warehouse.dialect.name, hidden }),
    usage: usageOf(table, history) ?? null,
    preview: sample.preview,
    profile: needs('profiling')
      ? await redactTexts(
          await profileTable(table, shown, { warehouse, maxRows: config.profiling.max_rows, secret: sample.secret }),
          redact,
        )
      : null,
  }
  const { secret, redacted } = sample
  const documents: SourceDocument[] = []
  for (const document of config.documents.filter((name) => name !== SUMMARY)) {
    const template = overrides.get(document) ?? { name: document, text: TABLE_TEMPLATES[document]! }
    documents.push({ name: `${document}.md`, text: await templates.render(template, scope), framed: true })
  }
  if (!config.documents.includes(SUMMARY)) return { documents, secret, redacted }
  const columns = config.documents.includes('columns')
    ? []
    : [await templates.render({ name: 'columns', text: TABLE_TEMPLATES['columns']! }, scope)]
  return {
    documents,
    secret,
    redacted,
    modelDocuments: [
      summaryOf(`${table.schema}.${table.name}`, [
        ...columns,
        ...documents.filter(({ name }) => SUMMARISED.includes(name)).map(({ text }) => text),
      ]),
    ],
  }
}

/** Written from what the other documents say, so that no row is sent that is not in the files anyway. */
function summaryOf(table: string, facts: readonly string[]): ModelDocument {
  return {
    name: `${SUMMARY}.md`,
    ...summaryPrompt(table, facts),
    wrap: (answer, model) => summaryText(table, model, answer),
  }
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
