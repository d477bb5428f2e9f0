import {
  described,
  draftStatement,
  emptyScope,
  finishStatement,
  inCondition,
  noteColumn,
  noteFunction,
  noteSubquery,
  takeAll,
  verbOf,
  type ScopeDraft,
  type StatementDraft,
} from '../../domain/sql/statement-draft.ts'
import type { ParsedSql, ParsedStatement, QueryScope } from '../../domain/sql/statement.ts'
import { childrenOf, nodeOf, nodesOf, textOf, type TreeNode } from '../../domain/sql/syntax-tree.ts'

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
  return finishStatement(draft, sql, { searchPath: ['main'], exactCase: false, ownFunctions: [] })
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

/** Whether a pragma only reads. */
export function isTellingPragma(name: string, hasValue: boolean): boolean {
  return TELLING.has(name.toLowerCase()) || (!hasValue && TELLING_WITHOUT_VALUE.has(name.toLowerCase()))
}

/** A pragma about one table is allowed if the table has no hidden columns; file settings reveal no table. */
function readPragma(pragma: TreeNode, draft: StatementDraft): void {
  const name = (nameOf(nodeOf(pragma['name'])?.['objName']) ?? '').toLowerCase()
  const body = nodeOf(pragma['body'])
  draft.verb = `PRAGMA ${name}`
  draft.kind = isTellingPragma(name, pragma['body'] !== undefined) ? 'show' : 'other'
  const table = TELLING_OF_TABLE.has(name) ? nameInside(body) : undefined
  if (table !== undefined) draft.scope = described([table])
  else draft.listsCatalogue = !TELLING_WITHOUT_VALUE.has(name)
}

const TELLING_OF_TABLE = new Set(['table_info', 'table_xinfo', 'index_list', 'foreign_key_list'])

function nameInside(body: TreeNode | undefined): string | undefined {
  const value = nodeOf(body?.['value'])
  if (!value) return undefined
  if (value['type'] === 'StringLiteral')
    return textOf(value['value'])
      ?.replace(/^'(.*)'$/s, '$1')
      .replaceAll("''", "'")
  return columnPath(value).at(0) ?? nameOf(value)
}

function readSelect(select: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  for (const cte of nodesOf(nodeOf(select['with'])?.['ctes'])) {
    const columns = nodesOf(cte['columns']).flatMap((column) => nameOf(column['colName']) ?? [])
    const query = readSelect(nodeOf(cte['select']) ?? {}, draft)
    // Every CTE of a WITH sees the others and itself, with or without RECURSIVE.
    scope.ctes.push({ name: nameOf(cte['tblName']) ?? '', columns, query, seesSelf: 'all', seesLater: true })
  }
  const compounds = nodesOf(select['compounds'])
  if (compounds.length === 0) readOne(nodeOf(select['select']) ?? {}, scope, draft)
  else for (const part of [select, ...compounds]) scope.branches.push(readBranch(nodeOf(part['select']) ?? {}, draft))
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
  if (one['type'] === 'SelectValues') scope.outputs.push({ name: undefined })
  for (const column of nodesOf(one['columns'])) readResult(column, scope, draft)
  visit({ ...one, type: undefined, from: undefined, columns: undefined }, scope, draft)
}

function readResult(column: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  if (column['type'] === 'ExprResultColumn') {
    const expr = nodeOf(column['expr']) ?? {}
    scope.outputs.push({ name: aliasOf(column) ?? columnPath(expr).at(-1) })
    visit(expr, scope, draft)
    return
  }
  const of = nameOf(column['table'])
  const star = { of: of === undefined ? [] : [of], except: [] }
  scope.stars.push(star)
  scope.outputs.push({ star })
}

function readFrom(from: TreeNode | undefined, scope: ScopeDraft, draft: StatementDraft): void {
  if (!from) return
  readTable(nodeOf(from['select']) ?? {}, scope, draft)
  for (const join of nodesOf(from['joins'])) {
    readTable(nodeOf(join['table']) ?? {}, scope, draft)
    const constraint = nodeOf(join['constraint'])
    inCondition(scope, () => {
      if (constraint?.['type'] === 'UsingJoinConstraint')
        for (const name of nodesOf(constraint['columns'])) noteColumn(scope, [nameOf(name) ?? ''])
      else visit(constraint, scope, draft)
    })
    const joinType = nodeOf(join['operator'])?.['joinType']
    if (typeof joinType === 'number' && (joinType & NATURAL) !== 0) takeAll(scope)
  }
}

const NATURAL = 4

function readTable(table: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  const alias = aliasOf(table)
  const name = qualified(nodeOf(table['tblName']) ?? {})
  if (/^pragma_/i.test(name.at(-1) ?? '')) Object.assign(draft, { verb: name.at(-1), listsCatalogue: true })
  switch (table['type']) {
    case 'TableSelectTable':
      scope.sources.push({ kind: 'table', name, alias, columns: [] })
      return
    case 'TableCallSelectTable':
      readTableCall(name, alias, scope, draft)
      return visit(table['args'], scope, draft)
    case 'SelectSelectTable':
      scope.sources.push({
        kind: 'derived',
        query: readSelect(nodeOf(table['select']) ?? {}, draft),
        alias,
        columns: [],
      })
      return
    case 'SubSelectTable':
    case 'JoinedSelectTable':
      readFrom(nodeOf(table['from']), scope, draft)
      if (alias === undefined) return
      takeAll(scope)
      scope.sources.push({ kind: 'made', alias, offers: undefined })
      return
    default:
      throw new Error(`${String(table['type'])} is not understood`)
  }
}

/** `json_each(x)` produces rows; any other call searches the table of that name, over all of its columns. */
function readTableCall(
  name: readonly string[],
  alias: string | undefined,
  scope: ScopeDraft,
  draft: StatementDraft,
): void {
  const last = (name.at(-1) ?? '').toLowerCase()
  const offers = name.length === 1 ? MAKERS.get(last) : undefined
  if (offers) {
    noteFunction(draft, last, undefined, 'rows')
    scope.sources.push({ kind: 'made', alias: alias ?? name.at(-1), offers })
    return
  }
  scope.sources.push({ kind: 'table', name, alias, columns: [] })
  takeAll(scope, alias === undefined ? name.slice(-1) : [alias])
}

const EACH = ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path']
const MAKERS = new Map([
  ['json_each', EACH],
  ['json_tree', EACH],
  ['jsonb_each', EACH],
  ['jsonb_tree', EACH],
  ['generate_series', ['value', 'start', 'stop', 'step']],
])

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  switch (node?.['type']) {
    case 'Select':
      return noteSubquery(scope, readSelect(node, draft))
    case 'Id':
    case 'NameExpr':
    case 'QualifiedExpr':
      return noteColumn(scope, columnPath(node))
    case 'FunctionCallExpr':
    case 'FunctionCallStarExpr':
      noteFunction(draft, (textOf(nodeOf(node['name'])?.['name']) ?? '').toLowerCase(), undefined)
      return visit({ ...node, type: undefined, name: undefined }, scope, draft)
    case 'InTableExpr':
      noteSubquery(scope, described(qualified(nodeOf(node['rhs']) ?? {})))
      return visit([node['lhs'], node['args']], scope, draft)
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
const qualified = (name: TreeNode): readonly string[] =>
  [name['dbName'], name['objName']].flatMap((part) => nameOf(part) ?? [])
