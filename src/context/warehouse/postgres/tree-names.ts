import type { FunctionUse } from '../../domain/sql/statement.ts'
import { nodeOf, nodesOf, textOf, type TreeNode } from '../../domain/sql/syntax-tree.ts'

type Call = readonly [name: string, schema: string | undefined, place?: FunctionUse['place']]

export const stringsOf = (value: unknown): readonly string[] =>
  nodesOf(value).flatMap((node) => textOf(nodeOf(node['String'])?.['sval']) ?? [])

export function callOf(call: TreeNode): Call {
  const path = stringsOf(call['funcname'])
  return [path.at(-1) ?? '', path.at(-2)]
}

/** Operators are functions under another name, and users can define them. */
export function operatorOf(key: string, body: TreeNode): readonly Call[] {
  const path =
    key === 'A_Expr' && !/BETWEEN/.test(String(body['kind']))
      ? stringsOf(body['name'])
      : key === 'SubLink'
        ? stringsOf(body['operName'])
        : key === 'SortBy'
          ? stringsOf(body['useOp'])
          : []
  return path.length === 0 ? [] : [[path.at(-1)!, path.at(-2)]]
}

// Column names of the server's set-returning functions, if they differ from the function name.
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  json_each: ['key', 'value'],
  json_each_text: ['key', 'value'],
  jsonb_each: ['key', 'value'],
  jsonb_each_text: ['key', 'value'],
  json_array_elements: ['value'],
  json_array_elements_text: ['value'],
  jsonb_array_elements: ['value'],
  jsonb_array_elements_text: ['value'],
  ts_parse: ['tokid', 'token'],
  ts_token_type: ['tokid', 'alias', 'description'],
  ts_debug: ['alias', 'description', 'token', 'dictionaries', 'dictionary', 'lexemes'],
  unnest: ['lexeme', 'positions', 'weights'],
}

export const fieldsOf = (call: TreeNode | undefined): readonly string[] => (call && FIELDS[callOf(call)[0]]) ?? []

/** Rows from a function, XMLTABLE or JSON_TABLE, and their column names. */
export function madeBy(
  type: string,
  body: TreeNode,
): { alias: string | undefined; offers: readonly string[] | undefined } {
  const given = nodeOf(body['alias'])
  const columns = stringsOf(given?.['colnames'])
  if (type !== 'RangeFunction')
    return { alias: textOf(given?.['aliasname']), offers: columns.length > 0 ? columns : columnNames(body['columns']) }
  const lists = nodesOf(body['functions']).flatMap((item) => nodesOf(nodeOf(item['List'])?.['items']))
  const calls = lists.map((one) => nodeOf(one['FuncCall'])).filter((call) => call !== undefined)
  const alias = textOf(given?.['aliasname']) ?? (calls[0] && callOf(calls[0])[0])
  const defined = nodesOf(body['coldeflist']).flatMap((one) => textOf(nodeOf(one['ColumnDef'])?.['colname']) ?? [])
  const own = calls.flatMap((call) => [...fieldsOf(call), callOf(call)[0]])
  const isComposite = calls.some((call) => /_populate_record/.test(callOf(call)[0]))
  if (isComposite && defined.length === 0 && columns.length === 0) return { alias, offers: undefined }
  const ordinality = body['ordinality'] === true ? ['ordinality'] : []
  return { alias, offers: [...columns, ...defined, ...own, ...(alias === undefined ? [] : [alias]), ...ordinality] }
}

function columnNames(list: unknown): readonly string[] {
  return nodesOf(list).flatMap((item) => {
    const column = nodeOf(item['RangeTableFuncCol']) ?? nodeOf(item['JsonTableColumn']) ?? {}
    return textOf(column['colname']) ?? textOf(column['name']) ?? columnNames(column['columns'])
  })
}

/** The server's name for an unnamed column. */
export function outputName(expr: TreeNode | undefined): string | undefined {
  const [type = ''] = Object.keys(expr ?? {})
  const body = nodeOf(expr?.[type]) ?? {}
  if (type === 'ColumnRef') return stringsOf(body['fields']).at(-1)
  if (type === 'FuncCall') return callOf(body)[0]
  if (type === 'TypeCast')
    return outputName(nodeOf(body['arg'])) ?? stringsOf(nodeOf(body['typeName'])?.['names']).at(-1)
  if (type === 'CollateClause') return outputName(nodeOf(body['arg']))
  if (type === 'CaseExpr') return outputName(nodeOf(body['defresult'])) ?? 'case'
  if (type === 'MinMaxExpr') return body['op'] === 'IS_LEAST' ? 'least' : 'greatest'
  return NAMED_BY_TYPE[type]
}

const NAMED_BY_TYPE: Readonly<Record<string, string>> = {
  CoalesceExpr: 'coalesce',
  GroupingFunc: 'grouping',
  RowExpr: 'row',
  A_ArrayExpr: 'array',
}
