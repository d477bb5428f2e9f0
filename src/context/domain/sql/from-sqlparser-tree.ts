import type { Grammar } from './dialect.ts'
import {
  draftStatement,
  emptyScope,
  inCondition,
  noteColumn,
  noteFunction,
  noteSubquery,
  takeAll,
  type ScopeDraft,
  type StatementDraft,
} from './statement-draft.ts'
import type { QueryScope } from './statement.ts'
import { childrenOf, listOf, nodeOf, nodesOf, textOf, type TreeNode } from './syntax-tree.ts'

interface Reading {
  readonly draft: StatementDraft
  readonly grammar: Grammar
}

/** Reads one statement of the sqlparser-rs tree. Anything except a query stays `other`. */
export function fromSqlparserTree(tree: unknown, grammar: Grammar, verb: string): StatementDraft {
  const [statement, second] = nodesOf(grammar.foldsUp ? foldNames(tree) : tree)
  if (second) throw new Error('several statements in one')
  const draft = { ...draftStatement(), verb }
  const query = nodeOf(statement?.['Query'])
  if (query) draft.scope = readQuery(query, { draft, grammar })
  else draft.kind = 'other'
  return draft
}

/** Folds unquoted names as the engine does. */
function foldNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foldNames)
  const node = nodeOf(value)
  if (!node) return value
  const isName = 'quote_style' in node && typeof node['value'] === 'string'
  if (isName) return node['quote_style'] === null ? { ...node, value: (node['value'] as string).toUpperCase() } : node
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, foldNames(child)]))
}

function readQuery(query: TreeNode, reading: Reading): QueryScope {
  const scope = emptyScope()
  if (listOf(query['locks']).length > 0) reading.draft.effects.add('row locks (FOR UPDATE or FOR SHARE)')
  if (query['settings']) reading.draft.effects.add('SETTINGS')
  if (query['format_clause']) reading.draft.effects.add('FORMAT')
  readWith(nodeOf(query['with']), scope, reading)
  readBody(nodeOf(query['body']) ?? {}, scope, reading)
  // A pipe renames and drops columns for the next one.
  if (listOf(query['pipe_operators']).length > 0) throw new Error('pipes are not understood')
  visit([query['order_by'], query['limit_clause'], query['fetch']], scope, reading)
  return scope
}

function readWith(clause: TreeNode | undefined, scope: ScopeDraft, reading: Reading): void {
  if (!clause) return
  const recursive = clause['recursive'] === true || reading.grammar.recursiveByNature
  for (const cte of nodesOf(clause['cte_tables'])) {
    const alias = nodeOf(cte['alias']) ?? {}
    scope.ctes.push({
      name: identOf(alias['name']) ?? '',
      columns: columnNames(alias),
      query: readQuery(nodeOf(cte['query']) ?? {}, reading),
      seesSelf: recursive ? reading.grammar.seesSelf : 'none',
      // Servers differ, so a name that is only defined later must also be allowed as a table.
      seesLater: false,
    })
  }
}

/** The body of a query belongs to its scope if it is one SELECT; branches of a set operation are nested scopes. */
function readBody(body: TreeNode, scope: ScopeDraft, reading: Reading): void {
  const [type = ''] = Object.keys(body)
  const part = nodeOf(body[type]) ?? {}
  if (type === 'Select') readSelect(part, scope, reading)
  else if (type === 'Query') scope.branches.push(readQuery(part, reading))
  else if (type === 'SetOperation') {
    for (const side of [nodeOf(part['left']) ?? {}, nodeOf(part['right']) ?? {}]) {
      const branch = emptyScope()
      readBody(side, branch, reading)
      scope.branches.push(branch)
    }
  } else if (type === 'Table') {
    const name = [part['schema_name'], part['table_name']].flatMap((item) => textOf(item) ?? [])
    scope.sources.push({ kind: 'table', name, alias: undefined, columns: [] })
    takeAll(scope)
    scope.outputs.push({ star: { of: [], except: [] } })
  } else if (type === 'Values') {
    scope.outputs.push({ name: undefined })
    visit(part, scope, reading)
  } else reading.draft.effects.add(type.toUpperCase())
}

function readSelect(select: TreeNode, scope: ScopeDraft, reading: Reading): void {
  if (select['into']) reading.draft.effects.add('SELECT INTO')
  for (const item of nodesOf(select['from'])) readTableWithJoins(item, scope, reading)
  if (select['flavor'] === 'FromFirstNoSelect') {
    takeAll(scope)
    scope.outputs.push({ star: { of: [], except: [] } })
  }
  for (const item of listOf(select['projection'])) readProjection(nodeOf(item) ?? {}, scope, reading)
  for (const view of nodesOf(select['lateral_views'])) {
    scope.sources.push({ kind: 'made', alias: pathOf(view['lateral_view_name']).at(-1), offers: undefined })
    visit(view['lateral_view'], scope, reading)
  }
  for (const [key, value] of Object.entries(select)) if (!SELECT_PARTS.has(key)) visit(value, scope, reading)
}

const SELECT_PARTS = new Set(['into', 'from', 'projection', 'lateral_views', 'select_token', 'optimizer_hints'])

function readProjection(item: TreeNode, scope: ScopeDraft, reading: Reading): void {
  const [type = ''] = Object.keys(item)
  if (type === 'Wildcard' || type === 'QualifiedWildcard') {
    const [of, options] = type === 'Wildcard' ? [undefined, item[type]] : listOf(item[type])
    const name = nodeOf(of)?.['ObjectName']
    if (!name) visit(of, scope, reading)
    const star = { of: pathOf(name), except: exceptOf(nodeOf(options)) }
    const isPlain = !nodeOf(options)?.['opt_rename']
    scope.outputs.push(isPlain ? { star } : { name: undefined })
    scope.stars.push(star)
    return
  }
  const aliased = nodeOf(item['ExprWithAlias'])
  const expr = nodeOf(aliased ? aliased['expr'] : item[type])
  scope.outputs.push({ name: identOf(aliased?.['alias']) ?? columnPath(expr).at(-1) })
  visit(expr, scope, reading)
}

/** `* EXCEPT (a, b)`, `* EXCLUDE a`. */
const exceptOf = (options: TreeNode | undefined): readonly string[] =>
  identsIn([options?.['opt_except'], options?.['opt_exclude']])

function readTableWithJoins(item: TreeNode, scope: ScopeDraft, reading: Reading): void {
  readRelation(nodeOf(item['relation']) ?? {}, scope, reading)
  for (const join of nodesOf(item['joins'])) {
    const operator = join['join_operator']
    const relation = nodeOf(join['relation']) ?? {}
    const text = JSON.stringify(operator) ?? ''
    // ClickHouse's ARRAY JOIN unfolds a column; other joins have a table in that position.
    if (/ArrayJoin/.test(text)) unfold(nodeOf(relation['Table']) ?? {}, scope)
    else readRelation(relation, scope, reading)
    if (/"Natural"/.test(text)) takeAll(scope)
    inCondition(scope, () => visit(operator, scope, reading))
  }
}

function unfold(table: TreeNode, scope: ScopeDraft): void {
  noteColumn(scope, pathOf(table['name']))
  scope.sources.push({ kind: 'made', alias: aliasOf(table), offers: undefined })
}

function readRelation(relation: TreeNode, scope: ScopeDraft, reading: Reading): void {
  const [type = ''] = Object.keys(relation)
  const body = nodeOf(relation[type]) ?? {}
  const alias = aliasOf(body)
  const path = pathOf(body['name'])
  if (reading.grammar.isExternal(path)) reading.draft.externals.add(path.join('.'))
  if (type === 'Table' && !body['args']) readTable(body, scope, reading.grammar)
  else if (type === 'Derived') {
    const query = readQuery(nodeOf(body['subquery']) ?? {}, reading)
    scope.sources.push({ kind: 'derived', query, alias, columns: columnNames(nodeOf(body['alias'])) })
  } else if (type === 'NestedJoin') {
    readTableWithJoins(nodeOf(body['table_with_joins']) ?? {}, scope, reading)
    if (alias !== undefined) takeAll(scope)
    if (alias !== undefined) scope.sources.push({ kind: 'made', alias, offers: undefined })
  } else if (nodeOf(body['table'])) {
    // PIVOT, UNPIVOT and MATCH_RECOGNIZE read every column of their table.
    readRelation(nodeOf(body['table']) ?? {}, scope, reading)
    takeAll(scope)
    scope.sources.push({ kind: 'made', alias, offers: undefined })
    visit({ ...body, table: undefined, alias: undefined }, scope, reading)
  } else if (type === 'TableFunction') readTableFunction(body, scope, reading)
  else if (MAKERS.has(type)) {
    if (path.length > 0) noteFunction(reading.draft, path.at(-1)!.toLowerCase(), path.at(-2)?.toLowerCase(), 'rows')
    const columns = columnNames(nodeOf(body['alias']))
    scope.sources.push({ kind: 'made', alias: alias ?? path.at(-1), offers: columns.length > 0 ? columns : undefined })
    visit({ ...body, name: undefined, alias: undefined }, scope, reading)
  } else throw new Error(`${type} is not understood`)
}

/** `TABLE(FLATTEN(…))`. Without a call inside, the argument names a table as plain text. */
function readTableFunction(body: TreeNode, scope: ScopeDraft, reading: Reading): void {
  const call = nodeOf(nodeOf(body['expr'])?.['Function'])
  if (!call) throw new Error('TABLE() around something else than a call is not understood')
  const path = pathOf(call['name'])
  noteFunction(reading.draft, (path.at(-1) ?? '').toLowerCase(), path.at(-2)?.toLowerCase(), 'rows')
  scope.sources.push({ kind: 'made', alias: aliasOf(body), offers: undefined })
  visit({ ...call, name: undefined }, scope, reading)
}

/** Row sources that are not tables: calls in FROM, UNNEST, JSON_TABLE and similar. */
const MAKERS = new Set(['Table', 'Function', 'UNNEST', 'JsonTable', 'OpenJsonTable', 'XmlTable'])

function readTable(table: TreeNode, scope: ScopeDraft, grammar: Grammar): void {
  const name = pathOf(table['name'])
  const isPath = grammar.pathsInFrom && name.length > 1 && scope.sources.some((source) => source.alias === name[0])
  if (isPath) return unfold(table, scope)
  if (grammar.parser === 'mysql' && name.length === 1 && MADE_UP.test(name[0]!)) {
    scope.sources.push({ kind: 'made', alias: aliasOf(table) ?? name[0], offers: undefined })
    return
  }
  const columns = nodesOf(nodeOf(table['alias'])?.['columns']).map((column) => identOf(column['name']) ?? '')
  scope.sources.push({ kind: 'table', name, alias: aliasOf(table), columns })
}

/** Names that produce rows without a table: `FROM dual`, and MariaDB's sequences. */
const MADE_UP = /^(dual|seq_\d+_to_\d+(_step_\d+)?)$/i

function visit(value: unknown, scope: ScopeDraft, reading: Reading): void {
  const node = nodeOf(value)
  if (!node) {
    for (const child of childrenOf(value)) visit(child, scope, reading)
    return
  }
  if ('body' in node && 'locks' in node) {
    noteSubquery(scope, readQuery(node, reading))
    return
  }
  for (const [key, child] of Object.entries(node)) visitPart(key, child, { scope, reading })
}

function visitPart(key: string, child: unknown, { scope, reading }: { scope: ScopeDraft; reading: Reading }): void {
  if (key === 'Identifier' || key === 'CompoundIdentifier') return noteColumn(scope, columnPath({ [key]: child }))
  if (key === 'relation' && nodeOf(child)) return readTableWithJoins({ relation: child, joins: [] }, scope, reading)
  if (key === 'Function') return readCall(nodeOf(child) ?? {}, scope, reading)
  if (key === 'QualifiedWildcard') takeAll(scope, pathOf(child))
  if (key === 'data_type' && /"?\breg[a-z]+\b/i.test(JSON.stringify(child))) reading.draft.listsCatalogue = true
  if (key === 'Placeholder') notePlaceholder(String(child), { scope, reading })
  if (WRITES.has(key)) reading.draft.effects.add(key.toUpperCase())
  if (key !== 'CompoundFieldAccess') return visit(child, scope, reading)
  const access = nodeOf(child) ?? {}
  const path = columnPath({ [key]: child })
  if (path.length === 0) visit(access['root'], scope, reading)
  noteColumn(scope, path)
  visit(
    nodesOf(access['access_chain']).filter((step) => !('Dot' in step)),
    scope,
    reading,
  )
}

/** `?` is a value that the driver binds. Snowflake's `$2` is a column by position, its `$name` a session variable. */
function notePlaceholder(text: string, { scope, reading }: { scope: ScopeDraft; reading: Reading }): void {
  if (text === '?') return
  takeAll(scope)
  if (/^\$[^\d]/.test(text)) reading.draft.effects.add(`the session variable ${text}`)
}

function readCall(call: TreeNode, scope: ScopeDraft, reading: Reading): void {
  const name = pathOf(call['name'])
  noteFunction(reading.draft, (name.at(-1) ?? '').toLowerCase(), name.at(-2)?.toLowerCase())
  const takesStar = /"Unnamed":"Wildcard"/.test(JSON.stringify(call['args']) ?? '')
  if (takesStar && name.at(-1)?.toLowerCase() !== 'count') takeAll(scope)
  visit({ ...call, name: undefined }, scope, reading)
}

const WRITES = new Set(['Insert', 'Update', 'Delete', 'Merge'])

/** Column that an expression node names, outermost part first; empty for other nodes. */
function columnPath(node: TreeNode | undefined): readonly string[] {
  if (!node) return []
  const single = identOf(node['Identifier'])
  if (single !== undefined) return [single]
  if (node['CompoundIdentifier']) return nodesOf(node['CompoundIdentifier']).flatMap((part) => identOf(part) ?? [])
  const access = nodeOf(node['CompoundFieldAccess'])
  if (!access) return []
  const fields = nodesOf(access['access_chain']).map((step) => identOf(nodeOf(nodeOf(step['Dot'])?.['Identifier'])))
  const end = fields.indexOf(undefined)
  return [
    ...columnPath(nodeOf(access['root'])),
    ...(end < 0 ? fields : fields.slice(0, end)).flatMap((field) => field ?? []),
  ]
}

function pathOf(objectName: unknown): readonly string[] {
  return nodesOf(objectName).flatMap(
    (part) =>
      identOf(part['Identifier']) ?? (part['Function'] ? `${identOf(nodeOf(part['Function'])?.['name'])}()` : []),
  )
}

function identsIn(value: unknown): readonly string[] {
  const own = identOf(value)
  return own !== undefined ? [own] : childrenOf(value).flatMap(identsIn)
}

const columnNames = (alias: TreeNode | undefined): readonly string[] =>
  nodesOf(alias?.['columns']).flatMap((column) => identOf(column['name']) ?? [])

const identOf = (value: unknown): string | undefined => textOf(nodeOf(value)?.['value'])
const aliasOf = (body: TreeNode): string | undefined => identOf(nodeOf(body['alias'])?.['name'])
