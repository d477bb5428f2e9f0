import { AppError } from '../kernel/domain/errors.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import {
  examplesItem,
  examplesPage,
  EXAMPLES,
  historyExamples,
  judgeExamples,
  type DatabaseExamples,
  type ExampleParts,
} from './database-examples.ts'
import type { DatabaseConfig } from './domain/context-project/config.ts'
import { GENERATOR } from './domain/context-project/framed-file.ts'
import { keptValues, type CompiledTable } from './domain/context-project/manifest.ts'
import { hiddenAmong, hiddenPatterns, isTaken } from './domain/context-project/name-glob.ts'
import { isMaskedInResults } from './domain/personal/policy.ts'
import { evidenceText } from './domain/schema/join-evidence.ts'
import type { JoinsOfTable } from './domain/sources/joins-view.ts'
import { NO_NOTES, type TableNote } from './domain/sources/table-notes.ts'
import { TABLE_TEMPLATES } from './domain/sources/table-templates.ts'
import { tablesRead, type ReadQuery } from './domain/sources/table-usage.ts'
import { withoutValues } from './domain/sql/engine-message.ts'
import { withSyncComment, SYNC_COMMENT } from './domain/sql/query.ts'
import { isSecretName } from './domain/sql/secret-columns.ts'
import { hiddenColumns } from './hidden-columns.ts'
import type { Source, SourceItem } from './ports/source.ts'
import type { TableDetails, Warehouse, TableSummary } from './ports/warehouse.ts'
import { openProfileBudget } from './profile-budget.ts'
import { SUMMARY, writeDocuments } from './table-documents.ts'
import type { DocumentParts } from './table-facts.ts'
import { openTableJoins, type TableJoins } from './table-joins.ts'
import { tablePath } from './table-paths.ts'
import { viewLineage, type ViewLineage } from './view-lineage.ts'

const HISTORY = 1_000

/** The tables of one database, each with its documents. */
export function openDatabaseSource(given: DocumentParts & ExampleParts): Source {
  const billed = { bytes: 0 }
  const parts = { ...given, warehouse: marked(given.warehouse, { billed, scan: given.config.profiling.max_bytes }) }
  const { config, warehouse } = parts
  const unknown = config.documents.find(
    (document) => document !== SUMMARY && !parts.overrides.has(document) && TABLE_TEMPLATES[document] === undefined,
  )
  if (unknown !== undefined)
    throw new AppError('invalid_input', `databases "${config.name}": no document named "${unknown}".`, {
      hint: `Use ${Object.keys(TABLE_TEMPLATES).join(', ')} or ai_summary, or add templates/${unknown}.md.liquid.`,
    })
  const tables = new Map<string, TableDetails>()
  const budget = openProfileBudget(config.profiling)
  let history: Promise<readonly ReadQuery[]> | undefined
  let joins: TableJoins | undefined
  let examples: DatabaseExamples | undefined
  return {
    async list() {
      const all = await warehouse.tables()
      const taken = all.filter((table) => isTaken(`${table.schema}.${table.name}`, config))
      const rules = rulesHash(parts)
      const known = (joins = openTableJoins(taken, { warehouse, config }))
      const asked = (examples = await judgeExamples(taken, parts))
      const items = taken.map((table): SourceItem => {
        tables.set(idOf(table), table)
        const questions = asked.questionsOf(table)
        const fingerprint = [
          table.fingerprint,
          rules,
          known.mark(table),
          ...noteMark((parts.notes ?? NO_NOTES)(table)),
          ...hiddenPatterns(table, config),
          ...(questions.length > 0 && config.documents.includes('how_to_use') ? [hashOf(questions)] : []),
        ].join('-')
        return {
          id: idOf(table),
          title: `${table.schema}.${table.name}`,
          path: tablePath(config.type, table),
          fingerprint,
          maxAgeDays: maxAge(config),
          always: config.documents.includes('profiling') && config.profiling.refresh === 'always',
          data: { mark: table.mark, changedAt: table.changedAt, goodFor: goodFor(config) },
          ...(warehouse.dialect.billsBytes && { billedBytes: Math.min(table.bytes ?? 0, config.profiling.max_bytes) }),
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
      if (summary === undefined) throw new AppError('not_found', `table ${item.title} not found`)
      history ??= readHistory(warehouse)
      const table = await warehouse.describe(summary)
      const joined = await joins?.of(table)
      const { secret, personal, values, described, indexed, ...written } = await writeDocuments(table, await history, {
        ...parts,
        ...(joined !== undefined && { joins: joined }),
        questionsOf: (ref) => examples?.questionsOf(ref) ?? [],
        budget,
      })
      return {
        ...written,
        indexed,
        table: {
          ...compiled(described, config, { values, lineage: await lineageOf(table, tables, parts) }),
          ...inferredIn(joined ?? { inferred: [] }),
          secret: [...secret],
          ...(personal.length > 0 && { personal: [...personal] }),
        },
      }
    },
    look: async (item) => {
      const summary = tables.get(item.id)
      return summary && lookAtRows(summary, { warehouse, config })
    },
    used: () => ({ isSpent: budget.isSpent(), billedBytes: billed.bytes }),
    close: () => warehouse.close(),
  }
}

/** Returns the engine's own change marker; if there is none, that of the times in the rows. */
async function lookAtRows(
  table: TableDetails,
  { warehouse, config }: Pick<DocumentParts, 'warehouse' | 'config'>,
): Promise<string | undefined> {
  const found = await warehouse.look?.(
    table,
    (one, column) => isSecretName(column) || hiddenAmong([column], one, config).length > 0,
  )
  if (found || (found === undefined && table.mark !== undefined)) return found
  return (await lookAtTimes(table, warehouse)) ?? found
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 8)

const idOf = (table: TableDetails): string => `${table.schema}.${table.name}`

/** Hash that changes with every rule for writing a table. */
function rulesHash({ config, overrides }: DocumentParts): string {
  const templates = config.documents.map((document) => overrides.get(document)?.text ?? TABLE_TEMPLATES[document] ?? '')
  return sha256(
    JSON.stringify([config.documents, config.profiling.max_rows, config.personal, templates, GENERATOR]),
  ).slice(0, 8)
}

/** Mark that changes with the project's notes on the table; empty if there are none. */
const noteMark = ({ description, columns }: TableNote): readonly string[] =>
  description === undefined && columns.length === 0 ? [] : [sha256(JSON.stringify([description, columns])).slice(0, 8)]

function maxAge({ documents, profiling, freshness }: DatabaseConfig): number | undefined {
  if (freshness.max_age !== undefined) return freshness.max_age / DAY
  return documents.includes('profiling') && profiling.refresh !== 'once' ? profiling.days : undefined
}

const DAY = 86_400_000

/** Returns how long row changes are ignored; undefined if always, as for a table that is profiled once. */
function goodFor({ documents, profiling, freshness }: DatabaseConfig): number | undefined {
  if (freshness.rows === 'never') return undefined
  return documents.includes('profiling') && profiling.refresh === 'once' ? undefined : freshness.rows
}

/**
 * Marks statements so that they can be distinguished from other people's. Removes row values from errors, which are
 * written to the files.
 */
const marked = (
  warehouse: Warehouse,
  { billed, scan }: { readonly billed: { bytes: number }; readonly scan: number },
): Warehouse => ({
  ...warehouse,
  query: async (sql, limits, signal) => {
    const asked = warehouse.query(withSyncComment(sql), { scan, ...limits }, signal)
    const found = await asked.catch((error: unknown) => {
      if (!(error instanceof AppError) || error.details?.['about'] !== 'data') throw error
      throw new AppError(error.code, withoutValues(error.message, { sql, names: [] }), {
        hint: 'The table or view can’t be read; ask its owner.',
      })
    })
    billed.bytes += found.billedBytes ?? 0
    return found
  },
})

async function readHistory(warehouse: Warehouse): Promise<readonly ReadQuery[]> {
  const past = (await warehouse.history(HISTORY).catch(() => [])).filter(({ sql }) => !sql.includes(SYNC_COMMENT))
  return Promise.all(past.map(async (query) => ({ query, tables: tablesRead(await warehouse.parse(query.sql)) })))
}

/** The lineage of a view if agents do not get all of its columns. */
async function lineageOf(
  table: TableDetails,
  tables: ReadonlyMap<string, TableDetails>,
  { warehouse, config }: Pick<DocumentParts, 'warehouse' | 'config'>,
): Promise<ViewLineage | undefined> {
  const { personal } = config
  const isClosed = isMaskedInResults(personal) || (typeof personal !== 'string' && personal.refuse.length > 0)
  if (!isClosed || !/view/.test(table.kind)) return undefined
  // Names of hidden columns must not be in committed files.
  const shown = [...tables.values()].map((one) => {
    const hidden = hiddenColumns(one, config)
    return { ...one, columns: one.columns.filter(({ name }) => !hidden.includes(name)) }
  })
  return viewLineage(table, shown, warehouse)
}

function compiled(
  table: TableDetails,
  config: DatabaseConfig,
  {
    values,
    lineage,
  }: { readonly values: ReadonlyMap<string, readonly string[]>; readonly lineage?: ViewLineage | undefined },
): Omit<CompiledTable, 'secret' | 'personal'> {
  const hidden = hiddenColumns(table, config)
  const isShown = (name: string): boolean => !hidden.includes(name)
  return {
    connection: config.name,
    database: table.database,
    schema: table.schema,
    name: table.name,
    kind: table.kind,
    ...(table.comment !== undefined && { comment: table.comment }),
    ...(table.rows !== undefined && { rows: table.rows.count }),
    columns: table.columns
      .filter(({ name }) => isShown(name))
      .map(({ name, type, comment }) => {
        const kept = keptValues(values.get(name) ?? [])
        const carries = lineage?.carries[table.columns.findIndex((column) => column.name === name)]
        return {
          name,
          type,
          ...(comment !== undefined && { comment }),
          ...(kept !== undefined && { values: kept }),
          ...(carries !== undefined && { carries: [...carries] }),
        }
      }),
    ...(lineage !== undefined && { reads: [...lineage.reads] }),
    primary_key: table.primaryKey.every(isShown) ? [...table.primaryKey] : [],
    foreign_keys: table.foreignKeys
      .filter((key) => key.columns.every(isShown) && hiddenAmong(key.referenced, key.references, config).length === 0)
      .map((key) => ({
        columns: [...key.columns],
        table: `${key.references.schema}.${key.references.name}`,
        referenced: [...key.referenced],
        ...(isKey(table, key.columns) && { unique: true }),
      })),
    hidden: [...hidden],
  }
}

function inferredIn({ inferred }: Pick<JoinsOfTable, 'inferred'>): Pick<CompiledTable, 'inferred_joins'> {
  if (inferred.length === 0) return {}
  return {
    inferred_joins: inferred.map((join) => ({
      column: join.column,
      table: `${join.to.schema}.${join.to.name}`,
      referenced: join.referenced,
      why: join.why,
      about: evidenceText(join),
    })),
  }
}

/** Whether the columns together are a key of the table. */
function isKey({ primaryKey, uniques = [], indexes }: TableDetails, columns: readonly string[]): boolean {
  const keys = [primaryKey, ...uniques, ...indexes.filter(({ unique }) => unique).map((index) => index.columns)]
  return keys.some((key) => key.length > 0 && key.every((column) => columns.includes(column)))
}

const LIMITS = { rows: 1, bytes: 1_000, milliseconds: 5_000 }

// Common names of the column that every write sets, most reliable first.
const NAMES = [
  /^(?:last_?)?(?:updated|modified|changed)(?:_?(?:at|on|time|date|ts))?$/i,
  /^(?:row_)?(?:update|modification)_?(?:time|date|ts)$/i,
  /^(?:created|inserted|loaded|ingested|synced)(?:_?(?:at|on|time|date|ts))?$/i,
  /^_(?:fivetran_synced|airbyte_extracted_at|loaded_at)$/i,
]
const MOMENT = /^(?:date|datetime|timestamp|smalldatetime)/i

/**
 * Determines the newest time in a column that every write seems to set, for tables without an engine marker. Skipped if
 * reading is billed or slow; then age alone decides.
 */
async function lookAtTimes(summary: TableSummary, warehouse: Warehouse): Promise<string | undefined> {
  if (warehouse.dialect.billsBytes) return undefined
  const { columns } = await warehouse.describe(summary)
  const column = NAMES.flatMap((name) => columns.filter((one) => name.test(one.name) && MOMENT.test(one.type)))[0]
  if (column === undefined) return undefined
  const newest = `MAX(${warehouse.quote(column.name)})`
  const from = `${warehouse.quote(summary.schema)}.${warehouse.quote(summary.name)}`
  const { rows } = await warehouse.query(`SELECT ${newest} AS ken_newest FROM ${from}`, LIMITS)
  return `newest ${String(rows[0]?.[0] ?? '')}`
}
