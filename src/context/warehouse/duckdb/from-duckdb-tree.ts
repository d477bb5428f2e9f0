import {
  described,
  draftStatement,
  emptyScope,
  inCondition,
  noteColumn,
  noteFunction,
  noteSubquery,
  takeAll,
  type ScopeDraft,
  type StatementDraft,
} from '../../domain/sql/statement-draft.ts'
import type { Output, QueryScope } from '../../domain/sql/statement.ts'
import { childrenOf, listOf, nodeOf, nodesOf, textOf, type TreeNode } from '../../domain/sql/syntax-tree.ts'

/** Reads the output of DuckDB's `json_serialize_sql`: one draft per statement, all of them queries. */
export function fromDuckdbTree(tree: unknown): readonly StatementDraft[] {
  return nodesOf(nodeOf(tree)?.['statements']).map((statement) => {
    const draft = draftStatement()
    const root = nodeOf(statement['node']) ?? {}
    if (nodeOf(root['from_table'])?.['type'] === 'SHOW_REF')
      Object.assign(draft, { kind: 'show', verb: 'SHOW or DESCRIBE' })
    draft.scope = readNode(root, draft)
    return draft
  })
}

function readNode(node: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  for (const entry of nodesOf(nodeOf(node['cte_map'])?.['map'])) {
    const cte = nodeOf(entry['value']) ?? {}
    const inner = nodeOf(nodeOf(cte['query'])?.['node']) ?? {}
    scope.ctes.push({
      name: textOf(entry['key']) ?? '',
      columns: textsOf(cte['aliases']),
      query: readNode(inner, draft),
      // The first half of a recursive CTE is bound before the CTE exists, so its name means a table there.
      seesSelf: inner['type'] === 'RECURSIVE_CTE_NODE' ? 'last' : 'none',
      seesLater: false,
    })
  }
  const type = textOf(node['type']) ?? ''
  if (type === 'SELECT_NODE') readSelect(node, scope, draft)
  else if (SET_NODES.has(type)) {
    for (const branch of [node['left'], node['right'], ...listOf(node['children'])])
      if (nodeOf(branch)) scope.branches.push(readNode(nodeOf(branch)!, draft))
    visit([node['modifiers'], node['key_targets'], node['payload_aggregates']], scope, draft)
  } else throw new Error(`${type} is not understood`)
  return scope
}

const SET_NODES = new Set(['SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE'])

function readSelect(node: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(nodeOf(node['from_table']) ?? {}, scope, draft)
  for (const item of nodesOf(node['select_list'])) scope.outputs.push(outputOf(item))
  for (const [key, value] of Object.entries(node))
    if (key !== 'from_table' && key !== 'cte_map') visit(value, scope, draft)
}

function outputOf(item: TreeNode): Output {
  const isPlainStar = item['type'] === 'STAR' && item['columns'] !== true && listOf(item['rename_list']).length === 0
  if (isPlainStar) return { star: { of: relationOf(item), except: textsOf(item['exclude_list']) } }
  return {
    name: textOf(item['alias']) ?? (item['type'] === 'COLUMN_REF' ? textsOf(item['column_names']).at(-1) : undefined),
  }
}

function readSource(source: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const alias = textOf(source['alias'])
  const columns = textsOf(source['column_name_alias'])
  const type = textOf(source['type']) ?? ''
  switch (type) {
    case 'EMPTY':
      return
    case 'BASE_TABLE':
      return readTable(source, scope, draft)
    case 'JOIN':
      return readJoin(source, scope, draft)
    case 'SUBQUERY': {
      const query = readNode(nodeOf(nodeOf(source['subquery'])?.['node']) ?? {}, draft)
      scope.sources.push({ kind: 'derived', query, alias, columns })
      return
    }
    case 'PIVOT':
      readSource(nodeOf(source['source']) ?? {}, scope, draft)
      takeAll(scope)
      scope.sources.push({ kind: 'made', alias, offers: undefined })
      return visit({ ...source, source: undefined }, scope, draft)
    case 'SHOW_REF':
      return readShow(source, scope, draft)
    case 'TABLE_FUNCTION':
      return readTableFunction(source, scope, draft)
    case 'EXPRESSION_LIST':
    case 'COLUMN_DATA':
      scope.sources.push({ kind: 'made', alias, offers: columns.length > 0 ? columns : undefined })
      return visit(source, scope, draft)
    default:
      throw new Error(`${type} is not understood`)
  }
}

/** The arguments of a table function may name tables and columns next to it. */
function readTableFunction(source: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const call = nodeOf(source['function']) ?? {}
  const name = textOf(call['function_name']) ?? ''
  if (LISTS.test(name)) Object.assign(draft, { verb: `${name}()`, listsCatalogue: true })
  noteFunction(draft, name.toLowerCase(), schemaOf(call), 'rows')
  visit({ ...source, function: { ...call, type: undefined, class: undefined, function_name: undefined } }, scope, draft)
  const columns = textsOf(source['column_name_alias'])
  scope.sources.push({
    kind: 'made',
    alias: textOf(source['alias']) ?? name,
    offers: columns.length > 0 ? columns : undefined,
  })
}

const LISTS = /^(duckdb|pragma|pg)_/i

/** SHOW TABLES has no query; DESCRIBE returns the columns of one, SUMMARIZE their values. */
function readShow(source: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const shown = nodeOf(source['query'])
  const table = [source['catalog_name'], source['schema_name'], source['table_name']].flatMap(
    (part) => textOf(part) ?? [],
  )
  if (!shown) draft.listsCatalogue = true
  const query = shown ? readNode(shown, draft) : described(table)
  scope.sources.push({ kind: 'derived', query, alias: textOf(source['alias']), columns: [] })
}

function readTable(table: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const name = [table['catalog_name'], table['schema_name'], table['table_name']].flatMap((part) => textOf(part) ?? [])
  if (name.length === 1 && FILE.test(name[0]!)) draft.externals.add(name[0]!)
  scope.sources.push({
    kind: 'table',
    name,
    alias: textOf(table['alias']),
    columns: textsOf(table['column_name_alias']),
  })
  visit(table['at_clause'], scope, draft)
}

/** Names that DuckDB would open as a file or address if no such table exists. */
const FILE =
  /[/\\*]|:\/\/|\.(csv|tsv|txt|parquet|json|jsonl|ndjson|xlsx|db|duckdb|sqlite|arrow|avro)(\.(gz|zst|bz2))?$/i

function readJoin(join: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(nodeOf(join['left']) ?? {}, scope, draft)
  readSource(nodeOf(join['right']) ?? {}, scope, draft)
  inCondition(scope, () => {
    for (const name of textsOf(join['using_columns'])) noteColumn(scope, [name])
    visit(join['condition'], scope, draft)
  })
  if (join['ref_type'] === 'NATURAL' || textOf(join['alias'])) takeAll(scope)
}

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  if (node && typeof node['type'] === 'string' && node['type'].endsWith('_NODE'))
    return noteSubquery(scope, readNode(node, draft))
  if (node && typeof node['class'] === 'string') note(node, scope, draft)
  for (const child of childrenOf(value)) visit(child, scope, draft)
}

const CLASSES = new Set(
  'COLUMN_REF CONSTANT FUNCTION COMPARISON CONJUNCTION OPERATOR CASE CAST BETWEEN SUBQUERY STAR LAMBDA LAMBDA_REF PARAMETER POSITIONAL_REFERENCE WINDOW COLLATE TYPE'.split(
    ' ',
  ),
)

function note(node: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  if (!CLASSES.has(String(node['class']))) throw new Error(`${String(node['class'])} is not understood`)
  const called = textOf(node['function_name'])
  if (called) noteCall(called, node, { scope, draft })
  if (node['type'] === 'COLUMN_REF') noteColumn(scope, textsOf(node['column_names']))
  // #1 refers to a column by its position, which may be any column.
  if (node['type'] === 'POSITIONAL_REFERENCE') takeAll(scope)
  if (node['type'] !== 'STAR') return
  takeAll(scope, relationOf(node), node['columns'] === true ? [] : textsOf(node['exclude_list']))
}

/** `u.email.upper()` arrives as the function upper of the schema email in the catalogue u. */
function noteCall(
  called: string,
  node: TreeNode,
  { scope, draft }: { scope: ScopeDraft; draft: StatementDraft },
): void {
  const schema = textOf(node['schema'])
  if (schema !== undefined)
    noteColumn(
      scope,
      [node['catalog'], schema].flatMap((part) => textOf(part) ?? []),
    )
  noteFunction(draft, called.toLowerCase(), schemaOf(node))
}

const SYSTEM_SCHEMAS = new Set(['main', 'pg_catalog'])

/** The grammar itself puts `main` before its expansion of EXTRACT, {…} and similar. */
const schemaOf = (call: TreeNode): string | undefined => {
  const schema = textOf(call['schema'])?.toLowerCase()
  return schema === 'main' || schema === undefined ? undefined : SYSTEM_SCHEMAS.has(schema) ? schema : undefined
}

const relationOf = (star: TreeNode): readonly string[] => [star['relation_name']].flatMap((part) => textOf(part) ?? [])
const textsOf = (value: unknown): readonly string[] => listOf(value).flatMap((item) => textOf(item) ?? [])
