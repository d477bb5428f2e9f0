import { parse } from 'yaml'
import { ellipsis } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { splitStatements } from '../sql/split-statements.ts'
import { LONGEST_QUESTION, LONGEST_SQL, MOST_EXAMPLES, type Example } from './example.ts'

interface Written {
  readonly question: string
  readonly sql: string
  readonly database: string | undefined
}

/**
 * The examples of one file: statements in a .sql file under their comments, fenced SQL in a Markdown file under the
 * text before it, or a YAML list with `question` and `sql`. Empty if the file has none.
 */
export function readExamples(path: string, text: string): readonly Example[] {
  const written = /\.sql$/i.test(path)
    ? fromSql(path, text)
    : /\.md$/i.test(path)
      ? fromMarkdown(path, text)
      : /\.ya?ml$/i.test(path)
        ? fromYaml(path, text)
        : []
  return written.slice(0, MOST_EXAMPLES).map((one) => exampleOf(path, one))
}

/**
 * Values in the first comments of a file or statement, as `-- name: value`; the first line without one is the question.
 */
export function readHeader(comments: readonly string[]): { question?: string; database?: string } {
  const values = new Map<string, string>()
  for (const line of comments) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name !== undefined && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), value!)
  }
  const plain = comments.find((line) => /[\p{L}\p{N}]/u.test(line) && !/^[\w-]{1,30}\s*:/.test(line))
  const question = ['question', 'q', 'title', 'description'].map((name) => values.get(name)).find(Boolean) ?? plain
  const database = values.get('database') ?? values.get('db')
  return { ...(question !== undefined && { question }), ...(database !== undefined && { database }) }
}

const HEADER = /^(question|q|title|description|database|db)\s*:\s*(\S.*)$/i

export const isHeader = (comment: string): boolean => HEADER.test(comment)

function fromSql(path: string, text: string): readonly Written[] {
  const { statements } = splitStatements(text)
  const file = readHeader(statements[0]?.comments ?? [])
  return statements.map(({ sql, comments }, i) => {
    const { question, database } = readHeader(comments)
    const name = statements.length === 1 ? nameOf(path) : `${nameOf(path)} ${i + 1}`
    return { question: question ?? name, sql, database: database ?? file.database }
  })
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*(\w*)/

function fromMarkdown(path: string, text: string): readonly Written[] {
  const lines = text.split(/\r?\n/)
  const found: Written[] = []
  let said = ''
  let database: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const [, mark, language] = FENCE.exec(line) ?? []
    if (mark === undefined) {
      const named = /^\W{0,4}(?:database|db)\W{0,4}:\W{0,4}([\w.-]+)/i.exec(line)?.[1]
      if (named !== undefined) database = named
      else if (/[\p{L}\p{N}]/u.test(line)) said = line.replace(/^[\s#>*+-]*(?:\d+[.)])?\s*/, '').replaceAll('**', '')
      continue
    }
    const end = lines.findIndex((other, i) => i > at && other.trimStart().startsWith(mark))
    const body = lines.slice(at + 1, end < 0 ? lines.length : end).join('\n')
    if (/^sql$/i.test(language ?? ''))
      for (const { sql, comments } of splitStatements(body).statements) {
        const own = readHeader(comments)
        found.push({ question: own.question ?? (said || nameOf(path)), sql, database: own.database ?? database })
      }
    at = end < 0 ? lines.length : end
  }
  return found
}

const LARGEST_YAML = 256_000

function fromYaml(path: string, text: string): readonly Written[] {
  const value = text.length > LARGEST_YAML ? undefined : yamlOf(text)
  const whole = isRecord(value) ? (value['queries'] ?? value['examples'] ?? [value]) : value
  const database = isRecord(value) ? textOf(value['database']) : undefined
  return (Array.isArray(whole) ? whole : []).flatMap((item: unknown) => {
    if (!isRecord(item)) return []
    const sql = textOf(item['sql']) ?? textOf(item['query'])
    if (sql === undefined) return []
    const question = ['question', 'prompt', 'title', 'description', 'name']
      .map((key) => textOf(item[key]))
      .find(Boolean)
    return [{ question: question ?? nameOf(path), sql, database: textOf(item['database']) ?? database }]
  })
}

function yamlOf(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 50, prettyErrors: false })
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

function exampleOf(path: string, { question, sql, database }: Written): Example {
  const statement = withoutReferences(sql.replace(/[;\s]+$/, ''))
  const fault =
    statement.length > LONGEST_SQL
      ? `it is longer than ${LONGEST_SQL.toLocaleString('en-US')} characters`
      : /\{\{|\{%/.test(statement)
        ? 'it holds a template that only dbt can fill'
        : undefined
  return {
    question: ellipsis(visibleLine(question), LONGEST_QUESTION),
    sql: statement,
    path,
    database,
    ...(fault !== undefined && { fault }),
  }
}

/** `{{ ref('orders') }}` and `{{ source('shop', 'orders') }}` of dbt as their tables. */
const withoutReferences = (sql: string): string =>
  sql
    .replaceAll(
      /\{\{\s{0,20}ref\(\s{0,20}(?:['"][^'"{}]{1,100}['"]\s{0,20},\s{0,20})?['"]([^'"{}]{1,100})['"]\s{0,20}\)\s{0,20}\}\}/g,
      '$1',
    )
    .replaceAll(
      /\{\{\s{0,20}source\(\s{0,20}['"]([^'"{}]{1,100})['"]\s{0,20},\s{0,20}['"]([^'"{}]{1,100})['"]\s{0,20}\)\s{0,20}\}\}/g,
      '$1.$2',
    )

/** `queries/revenue-by_month.sql` becomes `revenue by month`. */
const nameOf = (path: string): string =>
  path
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
