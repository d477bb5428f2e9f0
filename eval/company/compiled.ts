/** Reads back the files that `ken sync` wrote about the company. The only file that depends on their format. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMPANY } from './company.ts'
import { nameIn, type Engine } from './statements.ts'

export interface Compiled {
  /** All committed files by path. */
  readonly files: ReadonlyMap<string, string>
  /** Documents of each table, by the table's name in the company. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly joins: readonly FoundJoin[]
}

export interface FoundJoin {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly declared: boolean
  /** Rows on the left to rows on the right, if stated. */
  readonly cardinality: string | undefined
}

export function readCompiled(folder: string, engine: Engine): Compiled {
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  const paths = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
    cwd: folder,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && path !== 'ken.yaml')
  const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  const names = new Map(COMPANY.map(({ name }) => [nameIn(engine, name), name]))
  const tables = new Map<string, Map<string, string>>()
  const joins: FoundJoin[] = []
  for (const [path, text] of files) {
    const [, schema, table, document] = /schema=([^/]+)\/table=([^/]+)\/(\w+)\.md$/.exec(path) ?? []
    const name = table && names.get(engine === 'sqlite' ? table : `${schema}.${table}`)
    if (name) tables.set(name, (tables.get(name) ?? new Map<string, string>()).set(document!, text))
    if (/^databases\/.*\/joins\.md$/.test(path)) joins.push(...readJoins(text, names))
  }
  return { files, tables, joins }
}

/** The line of a column in columns.md, with the lines that are indented below it. */
export function lineOf(document: string, column: string): string {
  const lines = document.split('\n')
  const at = lines.findIndex((line) => new RegExp(`^\\s*[-*|]\\s*[\`*]*${column}[\`*]*(?!\\w)`).test(line))
  if (at < 0) return ''
  const end = lines.findIndex((line, i) => i > at && !/^\s{2,}\S/.test(line))
  return lines.slice(at, end < 0 ? undefined : end).join('\n')
}

/** Whether one of `a|b` occurs in a text as a whole word. */
export const says = (text: string, words: string): boolean =>
  words
    .split('|')
    .some((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(word)}(?![\\p{L}\\p{N}_])`, 'iu').test(text))

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * Lines such as "- `sales.orders.customer_id` → `crm.customers.id` …" under a heading that contains "declared" or
 * "inferred"; several columns are joined by a plus, and later ones may omit the table.
 */
export function readJoins(text: string, names: ReadonlyMap<string, string>): readonly FoundJoin[] {
  let declared = false
  const found: FoundJoin[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) declared = /declared/i.test(line)
    const [, left, right] = /^\s*[-*]\s+(.+?)\s*(?:→|->|=>)\s*(.+)$/.exec(line.replaceAll('`', '')) ?? []
    if (!left || !right) continue
    const [from, to] = [columnsOf(left, names), columnsOf(right, names)]
    if (from.length > 0 && from.length === to.length)
      found.push({ from, to, declared, cardinality: cardinalityOf(right) })
  }
  return found
}

function cardinalityOf(text: string): string | undefined {
  const [, left, right] = /\b(1|n|m|one|many)(?::|[- ]to[- ])(1|n|m|one|many)\b/i.exec(text) ?? []
  const side = (word: string): string => (/^(?:1|one)$/i.test(word) ? '1' : 'n')
  return left && right ? `${side(left)}:${side(right)}` : undefined
}

function columnsOf(side: string, names: ReadonlyMap<string, string>): readonly string[] {
  const parts = /^[\w.]+(?:\s*\+\s*[\w.]+)*/.exec(side)?.[0].split(/\s*\+\s*/) ?? []
  let table = ''
  return parts.flatMap((part) => {
    const at = part.lastIndexOf('.')
    // A database or SQLite's `main` may precede the company's table name.
    if (at >= 0) table = nameOf(part.slice(0, at), names)
    return table === '' ? [] : [`${table}.${part.slice(at + 1)}`]
  })
}

function nameOf(written: string, names: ReadonlyMap<string, string>): string {
  const parts = written.split('.')
  for (let from = 0; from < parts.length; from++) {
    const name = names.get(parts.slice(from).join('.'))
    if (name) return name
  }
  return written
}
