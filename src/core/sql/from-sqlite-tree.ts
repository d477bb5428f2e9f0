import {
  addBranch,
  draftStatement,
  emptyScope,
  finishStatement,
  noteFunction,
  takeAll,
  verbOf,
  withColumnNames,
  type ScopeDraft,
  type StatementDraft,
} from './statement-draft.ts'
import type { ParsedSql, ParsedStatement, QueryScope } from './statement.ts'
import { childrenOf, nodeOf, nodesOf, textOf, type TreeNode } from './syntax-tree.ts'

/** Reads the tree of a parser built from SQLite's own grammar (sqlite3-parser). */
export function fromSqliteTree(tree: unknown, sql: string): ParsedSql {
  return { statements: nodesOf(nodeOf(tree)?.['cmds']).map((command) => readCommand(command, sql)), error: undefined }
}

function readCommand(command: TreeNode, sql: string): ParsedStatement {
  const draft = draftStatement()
  const explained = command['type'] === 'ExplainStmt' ? nodeOf(command['stmt']) : undefined
  const statement = explained ?? command
  const type = textOf(statement['type']) ?? ''
  draft.verb = verbOf(type)
  if (type === 'SelectStmt') {
    draft.kind = explained ? 'explain' : 'query'
    draft.scope = readSelect(nodeOf(statement['body']) ?? {}, draft)
  } else if (type === 'PragmaStmt') readPragma(statement, draft)
  else draft.kind = 'other'
  return finishStatement(draft, sql, { searchPath: ['main'], exactCase: false })
}

const TELLING = new Set(
  (
    'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check database_list collation_list ' +
    'function_list module_list pragma_list compile_options integrity_check quick_check'
  ).split(' '),
)
const TELLING_WITHOUT_VALUE = new Set(
  'user_version schema_version application_id encoding page_count page_size freelist_count data_version journal_mode foreign_keys auto_vacuum'.split(
    ' ',
  ),
)

/** Whether a pragma only tells something. */
export function isTellingPragma(name: string, hasValue: boolean): boolean {
  return TELLING.has(name.toLowerCase()) || (!hasValue && TELLING_WITHOUT_VALUE.has(name.toLowerCase()))
}

function readPragma(pragma: TreeNode, draft: StatementDraft): void {
  const name = nameOf(nodeOf(pragma['name'])?.['objName']) ?? ''
  const tells = isTellingPragma(name, pragma['body'] !== undefined)
  draft.verb = `PRAGMA ${name.toLowerCase()}`
  draft.kind = tells ? 'show' : 'other'
  draft.listsCatalogue = tells
}

function readSelect(select: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  // Every CTE of a WITH sees the others and itself, with or without the word RECURSIVE.
  scope.recursive = true
  for (const cte of nodesOf(nodeOf(select['with'])?.['ctes'])) {
    const query = readSelect(nodeOf(cte['select']) ?? {}, draft)
    const columns = nodesOf(cte['columns']).flatMap((column) => nameOf(column['colName']) ?? [])
    scope.ctes.push({ name: nameOf(cte['tblName']) ?? '', query: withColumnNames(query, columns) })
  }
  const compounds = nodesOf(select['compounds'])
  if (compounds.length === 0) readOne(nodeOf(select['select']) ?? {}, scope, draft)
  else for (const part of [select, ...compounds]) addBranch(scope, readBranch(nodeOf(part['select']) ?? {}, draft))
  visit([select['orderBy'], select['limit']], scope, draft)
  return scope
}

function readBranch(one: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  readOne(one, scope, draft)
  return scope
}

function readOne(one: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readFrom(nodeOf(one['from']), scope, draft)
  for (const column of nodesOf(one['columns'])) readResult(column, scope, draft)
  visit({ ...one, type: undefined, from: undefined, columns: undefined }, scope, draft)
}

function readResult(column: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  if (column['type'] === 'ExprResultColumn') {
    const expr = nodeOf(column['expr']) ?? {}
    scope.outputs?.push(aliasOf(column) ?? columnPath(expr).at(-1) ?? '')
    visit(expr, scope, draft)
    return
  }
  const of = nameOf(column['table'])
  takeAll(scope, of === undefined ? [] : [of])
  scope.outputs = undefined
}

function readFrom(from: TreeNode | undefined, scope: ScopeDraft, draft: StatementDraft): void {
  if (!from) return
  readTable(nodeOf(from['select']) ?? {}, scope, draft)
  for (const join of nodesOf(from['joins'])) {
    readTable(nodeOf(join['table']) ?? {}, scope, draft)
    const constraint = nodeOf(join['constraint'])
    if (constraint?.['type'] === 'UsingJoinConstraint')
      for (const name of nodesOf(constraint['columns'])) scope.columns.push([nameOf(name) ?? ''])
    else visit(constraint, scope, draft)
    const joinType = nodeOf(join['operator'])?.['joinType']
    if (typeof joinType === 'number' && (joinType & NATURAL) !== 0) takeAll(scope)
  }
}

const NATURAL = 4

function readTable(table: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const alias = aliasOf(table)
  const name = qualified(nodeOf(table['tblName']) ?? {})
  switch (table['type']) {
    case 'TableSelectTable':
      if (/^pragma_/i.test(name.at(-1) ?? '')) draft.listsCatalogue = true
      scope.sources.push({ kind: 'table', name, alias, renamed: false })
      return
    case 'TableCallSelectTable':
      if (/^pragma_/i.test(name.at(-1) ?? '')) draft.listsCatalogue = true
      noteFunction(draft, name.at(-1) ?? '', undefined)
      scope.sources.push({ kind: 'derived', query: undefined, alias, lateral: true })
      return visit(table['args'], scope, draft)
    case 'SelectSelectTable':
      scope.sources.push({ kind: 'derived', query: readSelect(nodeOf(table['select']) ?? {}, draft), alias, lateral: false })
      return
    default:
      readFrom(nodeOf(table['from']), scope, draft)
      if (alias !== undefined) takeAll(scope)
  }
}

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  switch (node?.['type']) {
    case 'Select':
      scope.inner.push(readSelect(node, draft))
      return
    case 'Id':
    case 'NameExpr':
    case 'QualifiedExpr':
      scope.columns.push(columnPath(node))
      return
    case 'FunctionCallExpr':
    case 'FunctionCallStarExpr':
      noteFunction(draft, textOf(nodeOf(node['name'])?.['name']) ?? '', undefined)
      return visit({ ...node, type: undefined, name: undefined }, scope, draft)
    case 'InTableExpr': {
      const table = { kind: 'table' as const, name: qualified(nodeOf(node['rhs']) ?? {}), alias: undefined, renamed: false }
      scope.inner.push({ ...emptyScope(), sources: [table], stars: [{ of: [], except: [] }] })
      return visit([node['lhs'], node['args']], scope, draft)
    }
    default:
      for (const child of childrenOf(value)) visit(child, scope, draft)
  }
}

function columnPath(expr: TreeNode): readonly string[] {
  if (expr['type'] === 'Id') return [textOf(expr['name']) ?? '']
  if (expr['type'] === 'NameExpr') return [nameOf(expr['name']) ?? '']
  if (expr['type'] !== 'QualifiedExpr') return []
  return [expr['schema'], expr['table'], expr['column']].flatMap((part) => nameOf(part) ?? [])
}

const nameOf = (value: unknown): string | undefined => textOf(nodeOf(value)?.['text'])
const aliasOf = (node: TreeNode): string | undefined => nameOf(nodeOf(node['alias'])?.['name'])
const qualified = (name: TreeNode): readonly string[] => [name['dbName'], name['objName']].flatMap((part) => nameOf(part) ?? [])
