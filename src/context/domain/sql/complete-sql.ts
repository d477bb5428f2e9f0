import type { TableRef } from './catalogue.ts'

export interface CompletionTable extends Pick<TableRef, 'schema' | 'name'> {
  readonly columns: readonly string[]
}

export interface CompletionNames {
  readonly tables: readonly CompletionTable[]
  /** Case that a name may have without quotes. */
  readonly folds: 'lower' | 'upper' | 'none'
  quote(name: string): string
}

export interface Completion {
  /** Word being typed. */
  readonly word: string
  /** Possible replacements, in order. */
  readonly choices: readonly string[]
}

const LOOKED_BACK = 400
const MOST = 200

/**
 * Completes SQL: columns after `alias.`, tables after FROM and JOIN, otherwise columns of the tables that the statement
 * names, tables and keywords. Nothing inside a string.
 */
export function completeSql(before: string, after: string, names: CompletionNames): Completion {
  const statement = before.slice(before.lastIndexOf(';') + 1)
  const word = wordAtEnd(statement)
  if (word === undefined) return { word: '', choices: [] }
  const parts = partsOf(word)
  const typed = parts.at(-1)!
  const read = tablesNamed(statement.slice(0, statement.length - word.length) + ' ' + after, names.tables)
  const found =
    parts.length > 1
      ? behindDot(parts.slice(0, -1), read, names)
      : behindWord(statement.slice(0, statement.length - word.length), read, { typed, names })
  const head = word.slice(0, word.length - lastPart(word).length)
  // A quote that was typed marks a name, and is kept.
  const isQuoted = /^["`]/.test(lastPart(word))
  const fits = found.filter(
    ({ name, isWord }) => name.toLowerCase().startsWith(typed.toLowerCase()) && !(isQuoted && isWord),
  )
  const choices = fits.map(
    ({ name, isWord }) => head + (isWord ? name : isQuoted ? names.quote(name) : written(name, names)),
  )
  return { word, choices: [...new Set(choices)].slice(0, MOST) }
}

interface Choice {
  readonly name: string
  /** Keyword, which is never quoted. */
  readonly isWord?: boolean
}

const named = (list: readonly string[]): Choice[] => list.map((name) => ({ name }))

interface ReadTable {
  readonly table: CompletionTable
  readonly alias: string | undefined
}

function behindDot(path: readonly string[], read: readonly ReadTable[], { tables }: CompletionNames): Choice[] {
  const last = path.at(-1)!
  const own = read.find(({ alias }) => alias !== undefined && same(alias, last))?.table
  const table =
    own ?? read.find((one) => same(one.table.name, last))?.table ?? tables.find(({ name }) => same(name, last))
  const inSchema = tables.filter(({ schema }) => same(schema, last)).map(({ name }) => name)
  return named([...(table?.columns ?? []), ...(own === undefined ? inSchema : [])])
}

function behindWord(
  before: string,
  read: readonly ReadTable[],
  { typed, names }: { typed: string; names: CompletionNames },
): Choice[] {
  const last = /([\p{L}_]+)\s*$/u.exec(before.slice(-LOOKED_BACK))?.[1]?.toUpperCase() ?? ''
  const tables = names.tables.map(({ name }) => name).toSorted()
  const isTable = TABLE_FOLLOWS.has(last) || /\b(?:from|join)\s+[^()]{0,300},\s*$/i.test(clause(before))
  if (isTable) return named([...tables, ...new Set(names.tables.map(({ schema }) => schema))])
  const isLower = typed !== '' && typed === typed.toLowerCase()
  const keywords = KEYWORDS.map((word) => ({ name: isLower ? word.toLowerCase() : word, isWord: true }))
  return [
    // Before FROM is written, the name may refer to any column.
    ...named(read.length > 0 ? read.flatMap(({ table }) => table.columns) : typed === '' ? [] : columnsOf(names)),
    ...named(read.flatMap(({ alias }) => (alias === undefined ? [] : [alias]))),
    // Offers only the most probable names if nothing is typed yet.
    ...(typed === '' && read.length > 0 ? [] : named(tables)),
    ...(typed === '' ? [] : keywords),
  ]
}

const columnsOf = ({ tables }: CompletionNames): string[] => tables.flatMap(({ columns }) => columns)

const TABLE_FOLLOWS: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'DESCRIBE', 'TABLE'])

/** Text from the last keyword that begins a clause. */
function clause(before: string): string {
  const starts = [...before.slice(-LOOKED_BACK).matchAll(/\b(?:select|from|where|group|order|having|on|limit)\b/gi)]
  const at = starts.at(-1)?.index
  return at === undefined ? '' : before.slice(-LOOKED_BACK).slice(at)
}

const NAME = String.raw`(?:"[^"]{1,200}"|\x60[^\x60]{1,200}\x60|[\p{L}_][\p{L}\p{N}_$]{0,200})`
const FROM_ITEM = new RegExp(
  String.raw`(?:\b(?:from|join)|,)\s+(${NAME}(?:\.${NAME}){0,2})(?:\s+(?:as\s+)?(${NAME}))?`,
  'giu',
)

/** Tables that a statement reads, as far as known before it is complete. */
function tablesNamed(statement: string, tables: readonly CompletionTable[]): readonly ReadTable[] {
  return [...statement.slice(-LONGEST).matchAll(FROM_ITEM)].flatMap(([, path, alias]) => {
    const [name = '', schema] = partsOf(path!).toReversed()
    const table = tables.find((one) => same(one.name, name) && (schema === undefined || same(one.schema, schema)))
    const plain = alias === undefined ? undefined : unquoted(alias)
    const isAlias = plain !== undefined && !KEYWORDS.includes(plain.toUpperCase())
    return table === undefined ? [] : [{ table, alias: isAlias ? plain : undefined }]
  })
}

const LONGEST = 20_000

const partsOf = (word: string): readonly string[] => {
  const parts = [...word.matchAll(/"[^"]*"?|`[^`]*`?|[^."`]+/g)].map(([part]) => unquoted(part))
  return word === '' || word.endsWith('.') ? [...parts, ''] : parts
}
const lastPart = (word: string): string => /(?:"[^"]*|`[^`]*|[^."`]*)$/.exec(word)?.[0] ?? ''
const unquoted = (part: string): string => part.replaceAll(/^["`]|["`]$/g, '')
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Name at the end of the text, with its qualifiers; undefined inside a string. */
function wordAtEnd(statement: string): string | undefined {
  let start = -1
  let quote = ''
  for (let at = 0; at < statement.length; at++) {
    const char = statement.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
      continue
    }
    if (start < 0 && /[\p{L}\p{N}_$"`]/u.test(char)) start = at
    if (char === "'" || char === '"' || char === '`') quote = char
    else if (!/[\p{L}\p{N}_$.]/u.test(char)) start = -1
    if (char === "'") start = -1
  }
  if (quote === "'") return undefined
  return start < 0 ? '' : statement.slice(start)
}

const PLAIN: Readonly<Record<CompletionNames['folds'], RegExp>> = {
  lower: /^[a-z_][a-z0-9_]*$/,
  upper: /^[A-Z_][A-Z0-9_]*$/,
  none: /^[A-Za-z_][A-Za-z0-9_]*$/,
}

function written(name: string, { folds, quote }: CompletionNames): string {
  const isPlain = PLAIN[folds].test(name) && !RESERVED.has(name.toUpperCase())
  if (!isPlain) return quote(name)
  return folds === 'upper' ? name.toLowerCase() : name
}

const KEYWORDS: readonly string[] = (
  'SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT RIGHT FULL INNER OUTER CROSS ON USING AS DISTINCT AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS ' +
  'CASE WHEN THEN ELSE END WITH RECURSIVE UNION ALL INTERSECT EXCEPT VALUES DESC ASC NULLS FIRST LAST OVER PARTITION FILTER WINDOW QUALIFY CAST INTERVAL DATE TIMESTAMP ' +
  'TRUE FALSE EXPLAIN DESCRIBE COUNT SUM AVG MIN MAX COALESCE'
).split(' ')

// Names that are reserved in every engine, or in a common one.
const RESERVED: ReadonlySet<string> = new Set([
  ...KEYWORDS.slice(0, KEYWORDS.indexOf('EXPLAIN')).filter(
    (word) => !['FIRST', 'LAST', 'DATE', 'TIMESTAMP', 'FILTER'].includes(word),
  ),
  ...'USER TABLE COLUMN INDEX KEY PRIMARY FOREIGN REFERENCES CHECK DEFAULT CREATE DROP ALTER INSERT UPDATE DELETE GRANT TO FOR SET DO ANY SOME BOTH FETCH ROW ROWS RANK ANALYZE COLLATE CONSTRAINT DESC END'.split(
    ' ',
  ),
])
