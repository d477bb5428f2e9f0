import {
  addBranch,
  draftStatement,
  emptyScope,
  noteFunction,
  takeAll,
  unread,
  withColumnNames,
  type ScopeDraft,
  type StatementDraft,
} from './statement-draft.ts'
import type { QueryScope } from './statement.ts'
import { childrenOf, listOf, nodeOf, nodesOf, textOf, type TreeNode } from './syntax-tree.ts'

/** Reads what DuckDB's own `json_serialize_sql` gave: one draft per statement, all of them queries. */
export function fromDuckdbTree(tree: unknown): readonly StatementDraft[] {
  return nodesOf(nodeOf(tree)?.['statements']).map((statement) => {
    const draft = draftStatement()
    const root = nodeOf(statement['node']) ?? {}
    if (nodeOf(root['from_table'])?.['type'] === 'SHOW_REF') Object.assign(draft, { kind: 'show', verb: 'SHOW or DESCRIBE' })
    draft.scope = readNode(root, draft)
    return draft
  })
}

function readNode(node: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  for (const entry of nodesOf(nodeOf(node['cte_map'])?.['map'])) {
    const cte = nodeOf(entry['value']) ?? {}
    const query = readNode(nodeOf(nodeOf(cte['query'])?.['node']) ?? {}, draft)
    scope.ctes.push({ name: textOf(entry['key']) ?? '', query: withColumnNames(query, textsOf(cte['aliases'])) })
  }
  const type = textOf(node['type'])
  if (type === 'SELECT_NODE') readSelect(node, scope, draft)
  else if (type === 'RECURSIVE_CTE_NODE') readRecursive(node, scope, draft)
  else {
    for (const branch of [node['left'], node['right'], ...listOf(node['children'])])
      if (nodeOf(branch)) addBranch(scope, readNode(nodeOf(branch)!, draft))
    visit(node['modifiers'], scope, draft)
  }
  return scope
}

/** The second half of a recursive CTE sees the CTE itself. */
function readRecursive(node: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const start = readNode(nodeOf(node['left']) ?? {}, draft)
  scope.recursive = true
  scope.ctes.push({ name: textOf(node['cte_name']) ?? '', query: { ...start, outputs: undefined } })
  addBranch(scope, start)
  addBranch(scope, readNode(nodeOf(node['right']) ?? {}, draft))
}

function readSelect(node: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(nodeOf(node['from_table']) ?? {}, scope, draft)
  for (const item of nodesOf(node['select_list'])) {
    if (item['type'] === 'STAR') scope.outputs = undefined
    else scope.outputs?.push(textOf(item['alias']) ?? textsOf(item['column_names']).at(-1) ?? textOf(item['function_name']) ?? '')
  }
  for (const [key, value] of Object.entries(node)) if (key !== 'from_table' && key !== 'cte_map') visit(value, scope, draft)
}

function readSource(source: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const alias = textOf(source['alias'])
  switch (source['type']) {
    case 'EMPTY':
      return
    case 'BASE_TABLE':
      return readTable(source, scope, draft)
    case 'JOIN':
      return readJoin(source, scope, draft)
    case 'SUBQUERY': {
      const query = readNode(nodeOf(nodeOf(source['subquery'])?.['node']) ?? {}, draft)
      scope.sources.push({ kind: 'derived', query: withColumnNames(query, textsOf(source['column_name_alias'])), alias, lateral: true })
      return
    }
    case 'PIVOT':
      readSource(nodeOf(source['source']) ?? {}, scope, draft)
      takeAll(scope)
      return visit({ ...source, source: undefined }, scope, draft)
    case 'SHOW_REF':
      return readShow(source, scope, draft)
    default:
      if (source['type'] === 'TABLE_FUNCTION' && LISTS.test(textOf(nodeOf(source['function'])?.['function_name']) ?? ''))
        draft.listsCatalogue = true
      scope.sources.push({ kind: 'derived', query: undefined, alias, lateral: true })
      visit(source, scope, draft)
  }
}

/** SHOW TABLES has no query; DESCRIBE has one that is not run, SUMMARIZE one that is. */
function readShow(source: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const shown = nodeOf(source['query'])
  if (!shown) draft.listsCatalogue = true
  const query = shown && readNode(shown, draft)
  const told = query && source['show_type'] === 'DESCRIBE' ? unread(query) : query
  scope.sources.push({ kind: 'derived', query: told, alias: textOf(source['alias']), lateral: false })
}

const LISTS = /^(duckdb|pragma|pg)_/i

function readTable(table: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const name = [table['catalog_name'], table['schema_name'], table['table_name']].flatMap((part) => textOf(part) ?? [])
  if (name.length === 1 && FILE.test(name[0]!)) draft.externals.add(name[0]!)
  scope.sources.push({ kind: 'table', name, alias: textOf(table['alias']), renamed: listOf(table['column_name_alias']).length > 0 })
}

/** Names that DuckDB would open as a file or address when no such table exists. */
const FILE = /[/\\*]|:\/\/|\.(csv|tsv|txt|parquet|json|jsonl|ndjson|xlsx|db|duckdb|sqlite|arrow|avro)(\.(gz|zst|bz2))?$/i

function readJoin(join: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(nodeOf(join['left']) ?? {}, scope, draft)
  readSource(nodeOf(join['right']) ?? {}, scope, draft)
  scope.columns.push(...textsOf(join['using_columns']).map((name) => [name]))
  if (join['ref_type'] === 'NATURAL' || textOf(join['alias'])) takeAll(scope)
  visit(join['condition'], scope, draft)
}

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  if (node && typeof node['type'] === 'string' && node['type'].endsWith('_NODE')) {
    scope.inner.push(readNode(node, draft))
    return
  }
  if (node) note(node, scope, draft)
  for (const child of childrenOf(value)) visit(child, scope, draft)
}

function note(node: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const called = textOf(node['function_name'])
  if (called) noteFunction(draft, called, textOf(node['schema']))
  if (node['type'] === 'COLUMN_REF') scope.columns.push(textsOf(node['column_names']))
  // #1 takes a column by its place, which may be any column.
  if (node['type'] === 'POSITIONAL_REFERENCE') takeAll(scope)
  if (node['type'] !== 'STAR') return
  const of = textOf(node['relation_name'])
  takeAll(scope, of ? [of] : [], node['columns'] === true ? [] : textsOf(node['exclude_list']))
}

const textsOf = (value: unknown): readonly string[] => listOf(value).flatMap((item) => textOf(item) ?? [])
