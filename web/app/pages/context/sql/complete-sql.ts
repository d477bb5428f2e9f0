interface Known {
  readonly tables: readonly { readonly table: string; readonly rows?: number | undefined }[]
  readonly columns: readonly { readonly name: string; readonly type: string; readonly table: string }[]
}

interface Choice {
  readonly label: string
  readonly detail: string
}

const WORD = /[\p{L}\p{N}_.]*$/u
const KEYWORDS = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'LIMIT',
  'JOIN',
  'LEFT JOIN',
  'ON',
  'AND',
  'OR',
  'NOT',
  'IN',
  'IS NULL',
  'BETWEEN',
  'LIKE',
  'CASE WHEN',
  'THEN',
  'ELSE',
  'END',
  'AS',
  'DISTINCT',
  'HAVING',
  'WITH',
  'UNION ALL',
  'count(*)',
  'sum(',
  'avg(',
  'min(',
  'max(',
  'round(',
  'coalesce(',
] as const

/** Completions at a position of a statement: columns of tables that it names, tables, and keywords. */
export function completeSql(
  { text, at }: { readonly text: string; readonly at: number },
  { tables, columns }: Known,
): { readonly from: number; readonly choices: readonly Choice[] } | undefined {
  const before = text.slice(0, at)
  const word = WORD.exec(before)![0]
  const dot = word.lastIndexOf('.')
  const qualifier = dot < 0 ? undefined : word.slice(0, dot).toLowerCase()
  if (qualifier !== undefined) {
    const meant = aliasesOf(
      text,
      tables.map(({ table }) => table),
    ).get(qualifier)
    const own = columns.filter(({ table }) => table === meant)
    if (own.length > 0) return { from: at - (word.length - dot - 1), choices: own.map(asChoice) }
  }
  const choices = [
    ...columns.map(asChoice),
    ...tables.map(({ table, rows }) => ({
      label: table,
      detail: rows === undefined ? 'table' : `table, ${rows.toLocaleString('en-US')} rows`,
    })),
    ...KEYWORDS.map((label) => ({ label, detail: '' })),
  ]
  const seen = new Set<string>()
  return {
    from: at - word.length,
    choices: choices.filter(({ label }) => !seen.has(label) && seen.add(label)),
  }
}

const asChoice = ({ name, type, table }: Known['columns'][number]): Choice => ({
  label: name,
  detail: `${type.toLowerCase()}, ${shortName(table)}`,
})

const shortName = (table: string): string => table.slice(table.indexOf('.') + 1)

/** Tables that the statement names, in full or without their schema. */
export const tablesNamed = (text: string, tables: readonly string[]): readonly string[] => [
  ...new Set(aliasesOf(text, tables).values()),
]

/** Tables of the statement by the names it uses for them: the alias, the full name and the name without its schema. */
function aliasesOf(text: string, tables: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', alias] of text.matchAll(NAMED)) {
    const plain = name.replaceAll('"', '').toLowerCase()
    const table = tables.find((one) => one.toLowerCase() === plain || shortName(one).toLowerCase() === plain)
    if (table === undefined) continue
    for (const known of [plain, shortName(table).toLowerCase(), table.toLowerCase()]) found.set(known, table)
    if (alias !== undefined && !RESERVED.test(alias)) found.set(alias.toLowerCase(), table)
  }
  return found
}

const NAMED = /\b(?:from|join)\s+([\p{L}\p{N}_."]+)(?:\s+(?:as\s+)?([\p{L}_][\p{L}\p{N}_]*))?/giu
const RESERVED = /^(?:where|group|order|limit|join|left|right|inner|outer|full|cross|on|using|having|union)$/i
