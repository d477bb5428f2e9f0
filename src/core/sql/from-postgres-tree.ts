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
import type { NameRules, ParsedSql, ParsedStatement, QueryScope } from './statement.ts'
import { childrenOf, listOf, nodeOf, nodesOf, textOf, type TreeNode } from './syntax-tree.ts'

/** Reads the tree of PostgreSQL's own parser (libpg_query's JSON). */
export function fromPostgresTree(tree: unknown, sql: string, searchPath: readonly string[]): ParsedSql {
  const names = { searchPath, exactCase: true }
  const statements = nodesOf(nodeOf(tree)?.['stmts']).map((raw) => readStatement(nodeOf(raw['stmt']) ?? {}, sql, names))
  return { statements, error: undefined }
}

function readStatement(stmt: TreeNode, sql: string, names: NameRules): ParsedStatement {
  const draft = draftStatement()
  const [type = 'EmptyStmt'] = Object.keys(stmt)
  const body = nodeOf(stmt[type]) ?? {}
  draft.verb = verbOf(type)
  if (type === 'SelectStmt') draft.scope = readSelect(body, draft)
  else if (type === 'ExplainStmt') readExplain(body, draft)
  else if (type === 'VariableShowStmt') draft.kind = 'show'
  else draft.kind = 'other'
  return finishStatement(draft, sql, names)
}

function readExplain(body: TreeNode, draft: StatementDraft): void {
  draft.kind = 'explain'
  const scope = emptyScope()
  visit(body['query'], scope, draft)
  draft.scope = scope
}

function readSelect(select: TreeNode, draft: StatementDraft): QueryScope {
  const scope = emptyScope()
  if (select['intoClause'] !== undefined) draft.effects.add('SELECT INTO')
  if (select['lockingClause'] !== undefined) draft.effects.add('row locks (FOR UPDATE or FOR SHARE)')
  readWith(nodeOf(select['withClause']), scope, draft)
  for (const item of listOf(select['fromClause'])) readSource(item, scope, draft)
  for (const target of nodesOf(select['targetList'])) nameOutput(nodeOf(target['ResTarget']) ?? {}, scope)
  for (const side of [nodeOf(select['larg']), nodeOf(select['rarg'])]) if (side) addBranch(scope, readSelect(side, draft))
  for (const [key, value] of Object.entries(select)) {
    if (!SELECT_PARTS.has(key)) visit(value, scope, draft)
  }
  return scope
}

const SELECT_PARTS = new Set(['withClause', 'fromClause', 'larg', 'rarg', 'intoClause', 'lockingClause'])

function readWith(clause: TreeNode | undefined, scope: ScopeDraft, draft: StatementDraft): void {
  if (!clause) return
  scope.recursive = clause['recursive'] === true
  for (const item of nodesOf(clause['ctes'])) {
    const cte = nodeOf(item['CommonTableExpr']) ?? {}
    const wrapper = emptyScope()
    visit(cte['ctequery'], wrapper, draft)
    const query = wrapper.inner[0] ?? wrapper
    scope.ctes.push({ name: textOf(cte['ctename']) ?? '', query: withColumnNames(query, stringsOf(cte['aliascolnames'])) })
  }
}

function readSource(item: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(item) ?? {}
  const [type = ''] = Object.keys(node)
  const body = nodeOf(node[type]) ?? {}
  const alias = nodeOf(body['alias'])
  const aliasName = textOf(alias?.['aliasname'])
  if (type === 'RangeVar') {
    const name = [body['catalogname'], body['schemaname'], body['relname']].flatMap((part) => textOf(part) ?? [])
    scope.sources.push({ kind: 'table', name, alias: aliasName, renamed: stringsOf(alias?.['colnames']).length > 0 })
  } else if (type === 'JoinExpr') {
    readJoin(body, scope, draft)
  } else if (type === 'RangeTableSample') {
    readSource(body['relation'], scope, draft)
    visit(body['args'], scope, draft)
  } else if (type === 'RangeSubselect') {
    const select = nodeOf(nodeOf(body['subquery'])?.['SelectStmt'])
    const query = select && withColumnNames(readSelect(select, draft), stringsOf(alias?.['colnames']))
    scope.sources.push({ kind: 'derived', query, alias: aliasName, lateral: body['lateral'] === true })
  } else {
    scope.sources.push({ kind: 'derived', query: undefined, alias: aliasName, lateral: true })
    visit(body, scope, draft)
  }
}

function readJoin(join: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(join['larg'], scope, draft)
  readSource(join['rarg'], scope, draft)
  visit(join['quals'], scope, draft)
  scope.columns.push(...stringsOf(join['usingClause']).map((name) => [name]))
  // NATURAL compares columns nobody named, and an alias over a join gives every column a second name.
  if (join['isNatural'] === true || join['alias'] !== undefined) takeAll(scope)
}

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  if (!node) {
    for (const child of childrenOf(value)) visit(child, scope, draft)
    return
  }
  for (const [key, child] of Object.entries(node)) {
    const body = nodeOf(child) ?? {}
    if (key === 'SelectStmt') scope.inner.push(readSelect(body, draft))
    else if (key.endsWith('Stmt')) draft.effects.add(verbOf(key))
    else if (key === 'ColumnRef') readColumn(body, scope)
    else {
      if (key === 'FuncCall') readCall(body, draft)
      visit(child, scope, draft)
    }
  }
}

function readCall(call: TreeNode, draft: StatementDraft): void {
  const path = stringsOf(call['funcname'])
  noteFunction(draft, path.at(-1) ?? '', path.at(-2))
}

function readColumn(ref: TreeNode, scope: ScopeDraft): void {
  const fields = nodesOf(ref['fields'])
  const path = stringsOf(fields)
  if (fields.some((field) => 'A_Star' in field)) takeAll(scope, path)
  else scope.columns.push(path)
}

function nameOutput(target: TreeNode, scope: ScopeDraft): void {
  const column = nodeOf(nodeOf(target['val'])?.['ColumnRef'])
  const call = nodeOf(nodeOf(target['val'])?.['FuncCall'])
  if (nodesOf(column?.['fields']).some((field) => 'A_Star' in field)) scope.outputs = undefined
  else scope.outputs?.push(textOf(target['name']) ?? stringsOf(column?.['fields'] ?? call?.['funcname']).at(-1) ?? '?column?')
}

const stringsOf = (value: unknown): readonly string[] => nodesOf(value).flatMap((node) => textOf(nodeOf(node['String'])?.['sval']) ?? [])
