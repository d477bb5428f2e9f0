import {
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
import type { NameRules, ParsedSql, ParsedStatement, QueryScope } from '../../domain/sql/statement.ts'
import { childrenOf, listOf, nodeOf, nodesOf, textOf, type TreeNode } from '../../domain/sql/syntax-tree.ts'
import { callOf, fieldsOf, madeBy, operatorOf, outputName, stringsOf } from './tree-names.ts'

/** Reads the tree of PostgreSQL's parser (libpg_query's JSON). */
export function fromPostgresTree(tree: unknown, sql: string, session: Omit<NameRules, 'exactCase'>): ParsedSql {
  const names = { ...session, exactCase: true }
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
  else if (type === 'VariableShowStmt') readShow(body, draft)
  else draft.kind = 'other'
  return finishStatement(draft, sql, names)
}

/** Settings that reveal the session and no table; others may contain user data. */
const TOLD_SETTINGS = new Set(
  'timezone datestyle intervalstyle server_version server_version_num server_encoding client_encoding lc_collate lc_ctype standard_conforming_strings transaction_isolation transaction_read_only statement_timeout integer_datetimes'.split(
    ' ',
  ),
)

function readShow(body: TreeNode, draft: StatementDraft): void {
  const name = (textOf(body['name']) ?? '').toLowerCase()
  draft.kind = 'show'
  draft.verb = `SHOW ${name}`
  draft.listsCatalogue = !TOLD_SETTINGS.has(name)
}

/** VERBOSE names every column of a table, whether or not it is read. */
function readExplain(body: TreeNode, draft: StatementDraft): void {
  draft.kind = 'explain'
  const options = nodesOf(body['options']).flatMap((option) => textOf(nodeOf(option['DefElem'])?.['defname']) ?? [])
  if (options.includes('verbose')) Object.assign(draft, { verb: 'EXPLAIN VERBOSE', listsCatalogue: true })
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
  nodesOf(nodeOf(nodesOf(select['valuesLists'])[0]?.['List'])?.['items']).forEach((_, i) =>
    scope.outputs.push({ name: `column${i + 1}` }),
  )
  for (const side of [nodeOf(select['larg']), nodeOf(select['rarg'])])
    if (side) scope.branches.push(readSelect(side, draft))
  for (const [key, value] of Object.entries(select)) if (!SELECT_PARTS.has(key)) visit(value, scope, draft)
  return scope
}

const SELECT_PARTS = new Set(['withClause', 'fromClause', 'larg', 'rarg', 'intoClause', 'lockingClause'])

function readWith(clause: TreeNode | undefined, scope: ScopeDraft, draft: StatementDraft): void {
  if (!clause) return
  const recursive = clause['recursive'] === true
  for (const item of nodesOf(clause['ctes'])) {
    const cte = nodeOf(item['CommonTableExpr']) ?? {}
    const wrapper = emptyScope()
    visit(cte['ctequery'], wrapper, draft)
    scope.ctes.push({
      name: textOf(cte['ctename']) ?? '',
      columns: stringsOf(cte['aliascolnames']),
      query: wrapper.inner[0]?.query ?? wrapper,
      seesSelf: recursive ? 'all' : 'none',
      seesLater: recursive,
    })
  }
}

function readSource(item: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(item) ?? {}
  const [type = ''] = Object.keys(node)
  const body = nodeOf(node[type]) ?? {}
  const alias = textOf(nodeOf(body['alias'])?.['aliasname'])
  const columns = stringsOf(nodeOf(body['alias'])?.['colnames'])
  switch (type) {
    case 'RangeVar': {
      const name = [body['catalogname'], body['schemaname'], body['relname']].flatMap((part) => textOf(part) ?? [])
      scope.sources.push({ kind: 'table', name, alias, columns })
      return
    }
    case 'JoinExpr':
      return readJoin(body, scope, draft)
    case 'RangeTableSample':
      readSource(body['relation'], scope, draft)
      noteFunction(draft, stringsOf(body['method']).at(-1) ?? '', stringsOf(body['method']).at(-2), 'rows')
      return visit([body['args'], body['repeatable']], scope, draft)
    case 'RangeSubselect': {
      const query = readSelect(nodeOf(nodeOf(body['subquery'])?.['SelectStmt']) ?? {}, draft)
      scope.sources.push({ kind: 'derived', query, alias, columns })
      return
    }
    case 'RangeFunction':
    case 'RangeTableFunc':
    case 'JsonTable':
      scope.sources.push({ kind: 'made', ...madeBy(type, body) })
      return visit({ ...body, alias: undefined }, scope, draft)
    default:
      throw new Error(`${type} is not understood`)
  }
}

function readJoin(join: TreeNode, scope: ScopeDraft, draft: StatementDraft): void {
  readSource(join['larg'], scope, draft)
  readSource(join['rarg'], scope, draft)
  inCondition(scope, () => {
    visit(join['quals'], scope, draft)
    for (const name of stringsOf(join['usingClause'])) noteColumn(scope, [name])
  })
  const alias = textOf(nodeOf(join['alias'])?.['aliasname'])
  const using = textOf(nodeOf(join['join_using_alias'])?.['aliasname'])
  if (using !== undefined) scope.sources.push({ kind: 'made', alias: using, offers: stringsOf(join['usingClause']) })
  if (alias !== undefined) scope.sources.push({ kind: 'made', alias, offers: undefined })
  // NATURAL compares columns that are not named, and an alias over a join gives every column a second name.
  if (join['isNatural'] === true || alias !== undefined) takeAll(scope)
}

function visit(value: unknown, scope: ScopeDraft, draft: StatementDraft): void {
  const node = nodeOf(value)
  if (!node) {
    for (const child of childrenOf(value)) visit(child, scope, draft)
    return
  }
  for (const [key, child] of Object.entries(node)) visitPart(key, child, { scope, draft })
}

interface Place {
  readonly scope: ScopeDraft
  readonly draft: StatementDraft
}

function visitPart(key: string, child: unknown, { scope, draft }: Place): void {
  const body = nodeOf(child) ?? {}
  if (key === 'SelectStmt') return noteSubquery(scope, readSelect(body, draft))
  if (key === 'ColumnRef') return readColumn(body, scope)
  if (key.endsWith('Stmt')) draft.effects.add(verbOf(key))
  else if (/^[A-Z]/.test(key) && !KNOWN.has(key) && !/^(Json|Xml)/.test(key))
    throw new Error(`${key} is not understood`)
  if (key === 'FuncCall') noteFunction(draft, ...callOf(body))
  if (key === 'A_Indirection') return readIndirection(body, { scope, draft })
  if (key === 'TypeName' || key === 'typeName') readType(body, draft)
  for (const operator of operatorOf(key, body)) noteFunction(draft, ...operator)
  visit(child, scope, draft)
}

const KNOWN = new Set(
  (
    'A_Const A_Expr A_ArrayExpr A_Indices A_Indirection A_Star BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr CollateClause ColumnDef ' +
    'DefElem FuncCall GroupingFunc GroupingSet List MinMaxExpr NamedArgExpr NullTest ParamRef RangeTableFuncCol ResTarget RowExpr SortBy ' +
    'SQLValueFunction String Integer Float Boolean BitString SubLink TypeCast TypeName WindowDef'
  ).split(' '),
)

/** `(x).f` is a field of x, or the function f called with x. For a bare name it is judged like `x.f`. */
function readIndirection(body: TreeNode, { scope, draft }: Place): void {
  const fields = stringsOf(body['indirection'])
  const column = nodeOf(nodeOf(body['arg'])?.['ColumnRef'])
  const known = fieldsOf(nodeOf(nodeOf(body['arg'])?.['FuncCall']))
  const path = stringsOf(column?.['fields'])
  const isRow = path.length === 1
  if (column && nodesOf(body['indirection']).some((step) => 'A_Star' in step)) takeAll(scope, path)
  if (isRow) noteColumn(scope, [...path, ...fields.slice(0, 1)])
  for (const field of fields.slice(isRow ? 1 : 0)) if (!known.includes(field)) noteFunction(draft, field, undefined)
  visit(isRow ? body['indirection'] : [body['arg'], body['indirection']], scope, draft)
}

/** `'x'::regclass` reveals whether a table exists. */
function readType(type: TreeNode, draft: StatementDraft): void {
  const name = stringsOf(type['names']).at(-1) ?? ''
  draft.types.add(name)
  if (name.startsWith('reg')) Object.assign(draft, { verb: `a value of type ${name}`, listsCatalogue: true })
}

function readColumn(ref: TreeNode, scope: ScopeDraft): void {
  const fields = nodesOf(ref['fields'])
  const path = stringsOf(fields)
  if (fields.some((field) => 'A_Star' in field)) takeAll(scope, path)
  else noteColumn(scope, path)
}

function nameOutput(target: TreeNode, scope: ScopeDraft): void {
  const fields = nodesOf(nodeOf(nodeOf(target['val'])?.['ColumnRef'])?.['fields'])
  if (fields.some((field) => 'A_Star' in field)) scope.outputs.push({ star: { of: stringsOf(fields), except: [] } })
  else scope.outputs.push({ name: textOf(target['name']) ?? outputName(nodeOf(target['val'])) })
}
