import { parse } from 'smol-toml'

/** A header or a key with its value, and the keys it names. */
export interface TomlStatement {
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

/** The statements of a valid TOML text in order. Blank lines and comments between them belong to none. */
export function tomlStatements(text: string): TomlStatement[] {
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
export function valueOffset(source: string): number {
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
