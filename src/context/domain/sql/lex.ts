/** Syntax of comments, strings and quoted names in a dialect, as far as it affects where a token ends. */
export interface LexRules {
  readonly lineComments: readonly string[]
  /** MySQL reads `1--1` as arithmetic: its `--` needs white space after it. */
  readonly dashNeedsSpace: boolean
  readonly nestedComments: boolean
  readonly stringQuotes: string
  /** Opening characters of quoted names; `[` closes with `]`. */
  readonly nameQuotes: string
  /** `unsure`: depends on a server setting, so a backslash before a quote is rejected. */
  readonly backslash: 'escapes' | 'plain' | 'unsure'
  readonly tripleQuotes: boolean
  readonly dollarQuotes: boolean
  /** `r'…'`: with `plain` a backslash has no meaning in it; undefined if there are no raw strings. */
  readonly rawStrings: 'escapes' | 'plain' | undefined
}

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'name' | 'symbol'
  readonly text: string
  /** Words in upper case, quoted names without their quotes, the rest as written. */
  readonly value: string
  /** White space or a comment precedes it. */
  readonly spaced: boolean
}

export type Lexed = { readonly tokens: readonly Token[]; readonly sql: string } | { readonly error: string }

/** Splits SQL into tokens. `sql` is the text without comments, which is the text to run once the tokens were judged. */
export function lex(text: string, rules: LexRules): Lexed {
  const tokens: Token[] = []
  let sql = ''
  let at = 0
  let spaced = false
  while (at < text.length) {
    const comment = commentEnd(text, at, rules)
    if (typeof comment === 'string') return { error: comment }
    if (comment > at) {
      sql += ' '
      at = comment
      spaced = true
      continue
    }
    const end = tokenEnd(text, at, rules)
    if (typeof end === 'string') return { error: end }
    const part = text.slice(at, end)
    const token = toToken(part, rules)
    if (token) tokens.push({ ...token, spaced })
    spaced = token === undefined
    sql += part
    at = end
  }
  return { tokens, sql: sql.trim() }
}

function commentEnd(text: string, at: number, rules: LexRules): number | string {
  if (text.startsWith('/*', at)) {
    if (/^\/\*M?!/.test(text.slice(at, at + 4))) return 'a comment that some servers execute (/*! … */)'
    return blockEnd(text, at, rules.nestedComments)
  }
  const opener = rules.lineComments.find((candidate) => text.startsWith(candidate, at))
  if (opener === undefined) return at
  if (opener === '--' && rules.dashNeedsSpace && !/^(\s|$)/.test(text.slice(at + 2, at + 3))) return at
  const length = text.slice(at).search(/[\n\r]/)
  return length < 0 ? text.length : at + length
}

function blockEnd(text: string, at: number, nested: boolean): number | string {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    if (text.startsWith('/*', i) && (nested || depth === 0)) {
      depth++
      i++
    } else if (text.startsWith('*/', i)) {
      depth--
      i++
      if (depth === 0) return i + 1
    }
  }
  return 'a comment without an end'
}

function tokenEnd(text: string, at: number, rules: LexRules): number | string {
  const char = text.charAt(at)
  if (rules.rawStrings && /[rR]/.test(char) && rules.stringQuotes.includes(text.charAt(at + 1) || ' ')) {
    return quotedEnd(text, at + 1, { ...rules, backslash: rules.rawStrings })
  }
  if (rules.stringQuotes.includes(char)) return quotedEnd(text, at, rules)
  if (rules.nameQuotes.includes(char)) return quotedEnd(text, at, { ...rules, backslash: 'plain', tripleQuotes: false })
  if (char === '$') return dollarEnd(text, at, rules)
  return (
    matchEnd(/\s+/y, text, at) ??
    matchEnd(WORD, text, at) ??
    matchEnd(NUMBER, text, at) ??
    matchEnd(SYMBOL, text, at) ??
    at + 1
  )
}

const WORD = /[\p{L}_@#][\p{L}\p{N}_@#$]*/uy
const NUMBER = /(0[xX][0-9a-fA-F]+|(\d[\d_]*)?\.?\d+([eE][+-]?\d+)?|\d+\.)/y
const SYMBOL = /(<=>|->>|::|:=|=>|->|<=|>=|<>|!=|\|\||&&|<<|>>)/y

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function quotedEnd(text: string, at: number, rules: LexRules): number | string {
  const open = text.charAt(at)
  const close = open === '[' ? ']' : open
  const triple = open.repeat(3)
  if (rules.tripleQuotes && text.startsWith(triple, at)) return tripleEnd(text, at + 3, triple)
  for (let i = at + 1; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '\\' && rules.backslash !== 'plain') {
      if (rules.backslash === 'unsure' && text.charAt(i + 1) === close)
        return 'a backslash before a quote, which servers read in two ways'
      i++
    } else if (char === close) {
      if (text.charAt(i + 1) !== close) return i + 1
      i++
    }
  }
  return `a ${rules.stringQuotes.includes(open) ? 'string' : 'quoted name'} without an end`
}

function tripleEnd(text: string, from: number, triple: string): number | string {
  for (let i = from; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++
    else if (text.startsWith(triple, i)) return i + 3
  }
  return 'a string without an end'
}

function dollarEnd(text: string, at: number, rules: LexRules): number | string {
  const tag = /^\$([\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(text.slice(at, at + 64))?.[0]
  if (tag === undefined) return matchEnd(/\$[\p{L}\p{N}_]*/uy, text, at) ?? at + 1
  if (!rules.dollarQuotes) return `${tag} strings are not part of this dialect`
  const end = text.indexOf(tag, at + tag.length)
  return end < 0 ? 'a string without an end' : end + tag.length
}

function toToken(part: string, rules: LexRules): Omit<Token, 'spaced'> | undefined {
  const first = part.charAt(0)
  if (/^\s/.test(first)) return undefined
  const isRaw = rules.rawStrings !== undefined && /^[rR]['"]/.test(part)
  if (isRaw || rules.stringQuotes.includes(first) || /^\$[^$]*\$/u.test(part))
    return { kind: 'string', text: part, value: part }
  if (rules.nameQuotes.includes(first)) return { kind: 'name', text: part, value: unquoted(part) }
  if (/^[\d.]*\d/.test(part)) return { kind: 'number', text: part, value: part }
  if (/^[\p{L}_@#]/u.test(part)) return { kind: 'word', text: part, value: part.toUpperCase() }
  return { kind: 'symbol', text: part, value: part }
}

function unquoted(part: string): string {
  const close = part.at(-1) ?? ''
  return part.slice(1, -1).replaceAll(close + close, close)
}
