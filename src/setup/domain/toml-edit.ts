import { parse, stringify } from 'smol-toml'
import { AppError } from '../../kernel/domain/errors.ts'
import { sameJson } from '../../kernel/domain/text/json-document.ts'

export type TomlTable = Readonly<Record<string, string | boolean | number | readonly string[]>>

/** Sets the given keys of the table under a path, appending the table if it is missing. Every other byte stays. */
export function upsertToml(text: string, path: readonly string[], table: TomlTable): string {
  const present = valueAt(readToml(text), path)
  const wanted = { ...(present as object | undefined), ...table }
  if (sameJson(present, wanted)) return text
  const after = present === undefined ? appended(text, path, table) : rewritten(text, path, table)
  return checked(text, after, { path, value: wanted })
}

/** Removes the table under a path, including the tables below it. Undefined if the file is then empty. */
export function removeToml(text: string, path: readonly string[], before: string | undefined): string | undefined {
  if (valueAt(readToml(text), path) === undefined) return text
  const spans = tableSpans(text, path)
  if (spans.length === 0) throw otherForm(path)
  let after = text
  for (const { start, end } of spans.toReversed()) after = cut(after, start, end)
  checked(text, after, { path, value: undefined })
  if (before !== undefined && after.trimEnd() === before.trimEnd()) return before
  return after.trim() === '' && before === undefined ? undefined : after
}

export const tomlValueAt = (text: string, path: readonly string[]): unknown => valueAt(readToml(text), path)

function readToml(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' })
  } catch (thrown) {
    const [first] = (thrown as Error).message.split('\n')
    throw new AppError('damaged', `it is not valid TOML (${first})`, { cause: thrown })
  }
}

function appended(text: string, path: readonly string[], table: TomlTable): string {
  const eol = eolOf(text)
  const gap = text.trim() === '' ? '' : /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${[`[${path.map(tomlKey).join('.')}]`, ...lines(table), ''].join(eol)}`
}

/** Replaces changed values and adds missing keys after the header; other keys stay. */
function rewritten(text: string, path: readonly string[], table: TomlTable): string {
  const statements = tomlStatements(text)
  const at = statements.findIndex((s) => s.kind === 'table' && sameJson(s.keys, path))
  if (at < 0) throw otherForm(path)
  const next = statements.findIndex((s, i) => i > at && s.kind !== 'pair')
  const pairs = statements.slice(at + 1, next < 0 ? undefined : next)
  const header = statements[at]!
  const eol = eolOf(text)
  const missing = Object.entries(table).filter(([key]) => !pairs.some((pair) => pair.keys[0] === key))
  let after = text
  for (const pair of pairs.toReversed()) {
    const value = pair.keys.length === 1 ? table[pair.keys[0]!] : undefined
    if (value === undefined) continue
    const from = pair.start + valueOffset(after.slice(pair.start, pair.solid))
    after = `${after.slice(0, from)} ${tomlValue(value)}${after.slice(pair.solid)}`
  }
  const [before, rest] = [after.slice(0, header.end), after.slice(header.end)]
  return `${before}${before.endsWith('\n') ? '' : eol}${lines(Object.fromEntries(missing))
    .map((each) => each + eol)
    .join('')}${rest}`
}

/** The text of the table and of each table below it, without the comments before the next one. */
function tableSpans(text: string, path: readonly string[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let inside = false
  for (const each of tomlStatements(text)) {
    if (each.kind !== 'pair') inside = isBelow(each, path)
    if (!inside) continue
    if (each.kind === 'pair') spans.at(-1)!.end = each.end
    else spans.push({ start: each.start, end: each.end })
  }
  return spans
}

const isBelow = (header: TomlStatement, path: readonly string[]): boolean =>
  path.every((key, i) => header.keys[i] === key)

/** Removes a span and one of the blank lines around it, so that tables stay one blank line apart. */
function cut(text: string, start: number, end: number): string {
  const before = text.slice(0, start)
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(before)?.[1]?.length ?? 0
  return before.slice(0, before.length - blank) + text.slice(end)
}

/** Throws unless the file still parses, has the new value, and is otherwise unchanged. */
function checked(text: string, after: string, meant: { path: readonly string[]; value: unknown }): string {
  let said: unknown
  try {
    said = readToml(after)
  } catch {
    throw otherForm(meant.path)
  }
  const without = (value: unknown) => drop(value, meant.path)
  if (sameJson(valueAt(said, meant.path), meant.value) && sameJson(without(said), without(readToml(text)))) return after
  throw otherForm(meant.path)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isTable(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

/** A copy without the value under the path and the tables that only it needed. */
function drop(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isTable(value)) return value
  const { [key]: inner, ...others } = value
  const left = rest.length === 0 ? undefined : drop(inner, rest)
  return left === undefined || (isTable(left) && Object.keys(left).length === 0) ? others : { ...others, [key]: left }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

const otherForm = (path: readonly string[]): AppError =>
  new AppError('damaged', `\`${path.join('.')}\` in it is not written as a table`, {
    hint: `Write it as [${path.join('.')}], or remove it by hand, then run this again.`,
  })

const lines = (table: TomlTable): string[] => Object.entries(table).map(([key, value]) => line(key, value))
const line = (key: string, value: unknown): string => `${tomlKey(key)} = ${tomlValue(value)}`
const tomlValue = (value: unknown): string => stringify({ value }).trim().slice('value = '.length)
const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))
const eolOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n'

/** A header or a key with its value, and the keys it names. */
interface TomlStatement {
  readonly kind: 'table' | 'tables' | 'pair'
  readonly keys: readonly string[]
  readonly start: number
  /** Offset after the value or the header; a comment may follow. */
  readonly solid: number
  /** Offset after the line end. */
  readonly end: number
}

// Tokens that may span lines or contain brackets: four kinds of strings, comments.
const OPAQUE = /"""(?:\\[^]|[^\\])*?"{3,5}|'''[^]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*/y

/** The statements of a valid TOML text in order. Blank lines and comments between them belong to no statement. */
function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  for (let at = 0; at < text.length;) {
    const lineEnd = endOfLine(text, at)
    if (/^[ \t\uFEFF]*(?:#|\r?\n|$)/.test(text.slice(at, lineEnd))) {
      at = lineEnd
      continue
    }
    const found = statementAt(text, at)
    statements.push(found)
    at = found.end
  }
  return statements
}

function statementAt(text: string, start: number): TomlStatement {
  const { solid, end } = extent(text, start)
  const source = text
    .slice(start, solid)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (source.startsWith('['))
    return { kind: source.startsWith('[[') ? 'tables' : 'table', keys: keysOf(parse(source)), start, solid, end }
  return { kind: 'pair', keys: keysOf(parse(`${source.slice(0, valueOffset(source))}0`)), start, solid, end }
}

/** A statement ends with its line, unless a bracket or a string is still open. */
function extent(text: string, start: number): { solid: number; end: number } {
  let depth = 0
  let solid = start
  for (let at = start; at < text.length;) {
    const sign = text[at]!
    if (sign === '\n' && depth <= 0) return { solid, end: at + 1 }
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    at += opaqueLength(text, at) || 1
    if (sign !== '#' && /\S/.test(sign)) solid = at
  }
  return { solid, end: text.length }
}

/** The offset after the equals sign; quoted keys may contain one themselves. */
function valueOffset(source: string): number {
  let at = 0
  while (at < source.length && source[at] !== '=') at += opaqueLength(source, at) || 1
  return at + 1
}

/** The keys down to the innermost, for a text with a single key path. */
function keysOf(value: unknown): string[] {
  const object: unknown = Array.isArray(value) ? value[0] : value
  if (typeof object !== 'object' || object === null) return []
  const [entry] = Object.entries(object)
  return entry === undefined ? [] : [entry[0], ...keysOf(entry[1])]
}

function opaqueLength(text: string, position: number): number {
  OPAQUE.lastIndex = position
  return OPAQUE.exec(text)?.[0].length ?? 0
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}
