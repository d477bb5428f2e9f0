export interface SplitStatement {
  /** From first to last word, without the semicolon and leading comments. */
  readonly sql: string
  /** Lines of the comments before the statement, without comment markers. */
  readonly comments: readonly string[]
}

export interface SplitText {
  readonly statements: readonly SplitStatement[]
  /** A statement, quote or comment is still open at the end. */
  readonly open: boolean
}

/** Splits text at semicolons outside quotes and comments, without interpreting the statements. */
export function splitStatements(text: string, { backslash = false } = {}): SplitText {
  const statements: SplitStatement[] = []
  let comments: string[] = []
  let start = -1
  let at = 0
  const finish = (end: number): void => {
    if (start >= 0) statements.push({ sql: text.slice(start, end).trim(), comments })
    if (start >= 0) comments = []
    start = -1
  }
  while (at < text.length) {
    const end = pieceEnd(text, at, backslash)
    if (end === undefined) {
      const isComment = text.startsWith('/*', at)
      if (!isComment && start < 0) start = at
      finish(text.length)
      return { statements, open: true }
    }
    const piece = text.slice(at, end)
    if (piece === ';') finish(at)
    else if (isComment(piece)) {
      if (start < 0) comments.push(...commentLines(piece))
    } else if (start < 0 && /\S/.test(piece)) start = at + piece.search(/\S/)
    at = end
  }
  const open = start >= 0
  finish(text.length)
  return { statements, open }
}

/** Statement on one line, comments kept; undefined if a quoted text spans several. */
export function onOneLine(sql: string): string | undefined {
  let line = ''
  for (let at = 0; at < sql.length;) {
    const end = pieceEnd(sql, at, false) ?? sql.length
    const piece = sql.slice(at, end)
    const comment = piece.startsWith('--') ? `/* ${piece.slice(2).replaceAll('*/', '').trim()} */` : undefined
    const isQuoted = /^['"`$]/.test(piece)
    if (isQuoted && piece.includes('\n')) return undefined
    line += comment ?? (isQuoted ? piece : piece.replaceAll(/\s+/g, ' '))
    at = end
  }
  return line.trim()
}

const isComment = (piece: string): boolean => piece.startsWith('--') || piece.startsWith('/*')

const PLAIN = /[^;'"`$/-]+|[/-]/y

/** End of the piece that begins here; undefined if the text ends before it. */
function pieceEnd(text: string, at: number, backslash: boolean): number | undefined {
  if (text.startsWith('--', at)) return text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
  if (text.startsWith('/*', at)) return closing(text, at + 2, '*/')
  const char = text.charAt(at)
  if (char === ';') return at + 1
  if (char === "'" || char === '"' || char === '`') return quoteEnd(text, at, backslash)
  if (char === '$') {
    const tag = /^\$(?:[\p{L}_][\p{L}\p{N}_]{0,62})?\$/u.exec(text.slice(at, at + 66))?.[0]
    return tag === undefined ? at + 1 : closing(text, at + tag.length, tag)
  }
  PLAIN.lastIndex = at
  return PLAIN.test(text) ? PLAIN.lastIndex : at + 1
}

function closing(text: string, from: number, mark: string): number | undefined {
  const found = text.indexOf(mark, from)
  return found < 0 ? undefined : found + mark.length
}

function quoteEnd(text: string, at: number, backslash: boolean): number | undefined {
  const quote = text.charAt(at)
  for (let i = at + 1; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '\\' && backslash && quote !== '`') i++
    else if (char === quote) {
      if (text.charAt(i + 1) !== quote) return i + 1
      i++
    }
  }
  return undefined
}

const commentLines = (piece: string): readonly string[] =>
  piece
    .replace(/^\/\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:--|\*)?/, '').trim())
