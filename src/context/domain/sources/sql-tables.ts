import { STANDARD_LEX } from '../sql/dialect.ts'
import { lex, type LexRules, type Token } from '../sql/lex.ts'

/** Tables that SQL reads and writes, as spelled there. */
export interface SqlTables {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

// Longer texts are data, not statements.
const LONGEST = 100_000
const RULES: LexRules = { ...STANDARD_LEX, nameQuotes: '"`', dollarQuotes: true }

/**
 * Tables in SQL of any dialect, without a schema to compare with. Templates are not rendered: a name that contains one
 * is unknown and left out, and so is any text that is not SQL.
 */
export function sqlTables(text: string): SqlTables {
  const none = { reads: [], writes: [] }
  if (text.length > LONGEST || !STATEMENT.test(text)) return none
  const plain = withoutTemplates(text)
  const lexed = [RULES, { ...RULES, backslash: 'escapes' as const }]
    .map((rules) => lex(plain, rules))
    .find((result) => 'tokens' in result)
  return lexed !== undefined && 'tokens' in lexed ? readTables(lexed.tokens) : none
}

const STATEMENT = /\b(?:select|insert|merge|update|delete|create|copy|truncate|replace|with|unload)\b/i
const UNKNOWN = '__unknown__'

/** `{{ … }}` is replaced by a placeholder; `{% … %}` and `{# … #}` are removed. */
function withoutTemplates(text: string): string {
  let [kept, at] = ['', 0]
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', Math.max(start + 1, at))) {
    const close = { '{': '}}', '%': '%}', '#': '#}' }[text[start + 1] ?? '']
    if (close === undefined) continue
    const end = text.indexOf(close, start + 2)
    if (end < 0) break
    kept += text.slice(at, start) + (close === '}}' ? UNKNOWN : ' ')
    at = end + 2
  }
  return kept + text.slice(at)
}

/** Functions in which FROM precedes a value. */
const WITH_FROM = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY', 'POSITION'])
const NO_NAME = new Set(
  'SELECT VALUES LATERAL UNNEST TABLE SET ON USING WHERE AS ONLY IF EXISTS NOT INTO FROM JOIN WITH CURRENT ROWS'.split(
    ' ',
  ),
)
const TEMPORARY = new Set(['TEMP', 'TEMPORARY'])

function readTables(tokens: readonly Token[]): SqlTables {
  const [reads, writes] = [new Set<string>(), new Set<string>()]
  const own = namesOfItsOwn(tokens)
  const add = (found: Set<string>, at: number): number => {
    const path = nameAt(tokens, at)
    if (path === undefined) return at
    const isCall = tokens[path.end]?.value === '(' && found === reads
    if (!isCall && !path.name.includes(UNKNOWN) && !own.has(path.name.toLowerCase())) found.add(path.name)
    return path.end
  }
  const calls: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { value, kind } = tokens[at]!
    if (value === '(') calls.push(tokens[at - 1]?.value ?? '')
    else if (value === ')') calls.pop()
    if (kind !== 'word') continue
    const before = tokens[at - 1]?.value
    if (value === 'FROM' && (before === 'DISTINCT' || WITH_FROM.has(calls.at(-1) ?? ''))) continue
    if (value === 'FROM' && before === 'DELETE') add(writes, at + 1)
    else if (value === 'FROM') addList(tokens, at + 1, (next) => add(reads, next))
    else if (value === 'JOIN' || value === 'USING') add(reads, at + 1)
    else {
      const target = targetAfter(tokens, at)
      if (target !== undefined) add(writes, target)
    }
  }
  return { reads: [...reads].toSorted(), writes: [...writes].toSorted() }
}

/** `FROM a, b AS c, d` */
function addList(tokens: readonly Token[], start: number, add: (at: number) => number): void {
  for (let at = start; ;) {
    let end = add(at)
    if (end === at) return
    if (tokens[end]?.value === 'AS') end++
    if (tokens[end]?.kind !== 'symbol') end++
    if (tokens[end]?.value !== ',') return
    at = end + 1
  }
}

/** Position of the target's name if a writing statement begins here. */
function targetAfter(tokens: readonly Token[], at: number): number | undefined {
  const { value } = tokens[at]!
  const word = (offset: number): string => tokens[at + offset]?.value ?? ''
  const skip = (from: number, words: ReadonlySet<string>): number => {
    let next = from
    while (words.has(tokens[next]?.value ?? '')) next++
    return next
  }
  const isFirst = at === 0 || /^(?:;|\(|BEGIN|THEN|\))$/.test(tokens[at - 1]!.value)
  if (value === 'INTO') return skip(at + 1, INTO_WORDS)
  if (value === 'INSERT' && word(1) === 'OVERWRITE') return skip(at + 2, INTO_WORDS)
  if (value === 'CREATE') {
    const next = skip(at + 1, CREATE_WORDS)
    return MADE.has(tokens[next]?.value ?? '') ? skip(next + 1, IF_WORDS) : undefined
  }
  if (!isFirst) return undefined
  if (value === 'MERGE' && word(1) !== 'INTO') return at + 1
  if (value === 'UPDATE') return skip(at + 1, INTO_WORDS)
  if (value === 'TRUNCATE') return skip(at + 1, INTO_WORDS)
  return value === 'COPY' && word(1) !== 'INTO' ? at + 1 : undefined
}

const INTO_WORDS = new Set(['TABLE', 'ONLY', 'INTO', 'OVERWRITE'])
const CREATE_WORDS = new Set(
  'OR REPLACE TEMP TEMPORARY TRANSIENT EXTERNAL UNLOGGED GLOBAL LOCAL MATERIALIZED SECURE DYNAMIC'.split(' '),
)
const IF_WORDS = new Set(['IF', 'NOT', 'EXISTS'])
const MADE = new Set(['TABLE', 'VIEW'])

/** Names of CTEs and temporary tables, which end with the statement. */
function namesOfItsOwn(tokens: readonly Token[]): ReadonlySet<string> {
  const own = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    if (token.value === 'AS' && tokens[at + 1]?.value === '(') {
      const name = tokens[at - 1]?.value === ')' ? undefined : tokens[at - 1]
      if (name !== undefined) own.add(nameOf(name).toLowerCase())
    }
    // `WITH a (x, y) AS (`
    if (/^(?:WITH|RECURSIVE|,)$/.test(token.value) && tokens[at + 2]?.value === '(') {
      const close = tokens.slice(at + 3, at + 200).findIndex(({ value }) => value === ')')
      if (close >= 0 && tokens[at + close + 4]?.value === 'AS') own.add(nameOf(tokens[at + 1]!).toLowerCase())
    }
    if (token.value === 'CREATE' && tokens.slice(at + 1, at + 5).some(({ value }) => TEMPORARY.has(value))) {
      const path = nameAt(tokens, targetAfter(tokens, at) ?? tokens.length)
      if (path !== undefined) own.add(path.name.toLowerCase())
    }
  }
  return own
}

/** `a.b.c`, with or without quotes. */
function nameAt(tokens: readonly Token[], at: number): { readonly name: string; readonly end: number } | undefined {
  const parts: string[] = []
  let end = at
  for (;;) {
    const token = tokens[end]
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) return undefined
    if (token.kind === 'word' && parts.length === 0 && NO_NAME.has(token.value)) return undefined
    parts.push(nameOf(token))
    // A template adjacent to a name changes it: `orders_{{ ds }}`.
    if (tokens[end + 1]?.kind === 'word' && !tokens[end + 1]!.spaced) parts.push(UNKNOWN)
    end++
    if (tokens[end]?.value !== '.') return { name: parts.join('.'), end }
    end++
  }
}

const nameOf = ({ kind, text, value }: Token): string => (kind === 'name' ? value : text)
