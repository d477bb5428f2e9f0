import {
  callsIn,
  constantsOf,
  entriesOf,
  itemsOf,
  resolved,
  statementsIn,
  textOf,
  within,
  type PyCall,
  type PyExpression,
  type PyFunction,
  type PyScope,
  type PyStatement,
} from './python-tree.ts'
import { sqlTables } from './sql-tables.ts'

export interface AirflowTask {
  readonly id: string
  /** The operator class, or `@task` for a function. */
  readonly operator: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** Tables named without a known use. */
  readonly uses: readonly string[]
  readonly inlets: readonly string[]
  readonly outlets: readonly string[]
}

export interface TaskParts {
  readonly id: string
  readonly operator: string
  readonly call: PyCall | undefined
  /** The function that the task runs, if the file defines it. */
  readonly made: PyFunction | undefined
  readonly scope: PyScope
  /** The text of an SQL file beside the DAG. */
  readonly sqlFile: (path: string) => string | undefined
}

/** A task with the tables named in its arguments. */
export function airflowTask({ id, operator, call, made, scope, sqlFile }: TaskParts): AirflowTask {
  const named = call?.named ?? {}
  const sql = [...sqlArguments(named, scope), ...(made === undefined ? [] : sqlInBody(made.body, scope))]
  const [reads, writes, uses] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const text of sql) {
    const isFile = /^[^\s'"]{1,300}\.sql$/i.test(text.trim())
    const found = sqlTables(isFile ? (sqlFile(text.trim()) ?? '') : text)
    for (const table of found.reads) reads.add(table)
    for (const table of found.writes) writes.add(table)
  }
  const into = { reads, writes, uses }
  for (const { table, kind } of tableArguments(named, operator, scope)) into[kind].add(table)
  const assets = (field: string): readonly string[] =>
    itemsOf(resolved(named[field], scope)).flatMap((item) => assetName(item, scope) ?? [])
  return {
    id,
    operator,
    reads: [...reads].toSorted(),
    writes: [...writes].toSorted(),
    uses: [...uses].filter((table) => !reads.has(table) && !writes.has(table)).toSorted(),
    inlets: assets('inlets'),
    outlets: assets('outlets'),
  }
}

const SQL_FIELDS = ['sql', 'query', 'bql', 'hql', 'statement', 'statements', 'select_query', 'sql_query']

function sqlArguments(named: PyCall['named'], scope: PyScope): readonly string[] {
  const job = entriesOf(named['configuration'], scope).get('query')
  const values = [...SQL_FIELDS.map((field) => named[field]), entriesOf(job, scope).get('query')]
  return values.flatMap((value) => itemsOf(resolved(value, scope)).flatMap((item) => textOf(item, scope) ?? []))
}

/** Statements that a function passes to something that runs them. */
export function sqlInBody(body: readonly PyStatement[], outer: PyScope): readonly string[] {
  const all = statementsIn(body)
  const scope = within(outer, constantsOf(all))
  const values = all.flatMap((one) => (one.kind === 'assign' || one.kind === 'expression' ? [one.value] : []))
  const withs = all.flatMap((one) => (one.kind === 'with' ? one.items.map(({ value }) => value) : []))
  return [...values, ...withs]
    .flatMap(callsIn)
    .flatMap(({ given, named }) => [...given, ...Object.values(named)])
    .flatMap((value) => textOf(value, scope) ?? [])
    .filter((text) =>
      /^\s*(?:--[^\n]*\n\s*){0,20}(?:with|select|insert|merge|update|delete|create|copy|truncate)\s/i.test(text),
    )
}

type Kind = 'reads' | 'writes' | 'uses'

const WRITTEN = ['destination_table', 'target_table', 'destination_project_dataset_table', 'destination_dataset_table']
const READ = ['source_table', 'source_project_dataset_table', 'source_project_dataset_tables']
const NAMED = ['table', 'table_name', 'table_id']
/** Transfers to files: their source is read. */
const TO_FILES = /To(?:S3|GCS|Gcs|Local|SFTP|Sftp|ADLS|Adls|Azure\w*|Wasb\w*|GoogleSheets|FileSystem|Slack)\w*Operator$/

function tableArguments(
  named: PyCall['named'],
  operator: string,
  scope: PyScope,
): readonly { readonly table: string; readonly kind: Kind }[] {
  const schema = textOf(named['schema'] ?? named['target_schema'] ?? named['dataset_id'], scope)
  const names = (field: string): readonly string[] =>
    itemsOf(resolved(named[field], scope)).flatMap((item) => textOf(item, scope) ?? [])
  const known = (name: string): boolean => /^[\w.:$`"-]{1,300}$/.test(name)
  const whole = (name: string): string => (schema === undefined || name.includes('.') ? name : `${schema}.${name}`)
  const found = (fields: readonly string[], kind: Kind) =>
    fields.flatMap((field) =>
      names(field)
        .filter(known)
        .map((name) => ({ table: whole(name), kind })),
    )
  const does: Kind = /(?:Check|Sensor)\w*$/.test(operator)
    ? 'reads'
    : TO_FILES.test(operator)
      ? 'reads'
      : /\wTo\w+Operator$/.test(operator)
        ? 'writes'
        : 'uses'
  return [...found(WRITTEN, 'writes'), ...found(READ, 'reads'), ...found(NAMED, does), ...destinationOf(named, scope)]
}

/** `configuration={"query": {"destinationTable": {"datasetId": …, "tableId": …}}}` of BigQuery. */
function destinationOf(
  named: PyCall['named'],
  scope: PyScope,
): readonly { readonly table: string; readonly kind: Kind }[] {
  const job = entriesOf(entriesOf(named['configuration'], scope).get('query'), scope)
  const place = entriesOf(job.get('destinationTable'), scope)
  const parts = ['projectId', 'datasetId', 'tableId'].map((key) => textOf(place.get(key), scope))
  const [project, dataset, table] = parts
  if (table === undefined || dataset === undefined) return []
  return [{ table: [project, dataset, table].filter((part) => part !== undefined).join('.'), kind: 'writes' }]
}

/** The name or address of `Asset(…)`, `Dataset(…)` and similar. */
export function assetName(value: PyExpression, scope: PyScope): string | undefined {
  const found = resolved(value, scope)
  if (
    found?.kind !== 'call' ||
    !/^(?:[\w.]+\.)?(?:Asset|Dataset|AssetAlias|DatasetAlias|File|Table)$/.test(found.callee)
  )
    return undefined
  const { named, given } = found
  return textOf(named['uri'] ?? given[0] ?? named['name'] ?? named['url'], scope)
}
