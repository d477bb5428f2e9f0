import type { Grammar, ParsedDialect } from './dialect.ts'
import { fromSqlparserTree } from './from-sqlparser-tree.ts'
import { lex, type Token } from './lex.ts'
import { described, draftStatement, finishStatement, noteFunction, type StatementDraft } from './statement-draft.ts'
import { unreadable, whyUnreadable, type NameRules, type ParsedSql } from './statement.ts'

/** sqlparser-rs: returns its syntax tree, or throws a parse error. */
export type TreeParser = (sql: string, dialect: string) => unknown

/**
 * Parses a dialect for which no engine parser is available. Comments are removed first, and strings that dialects spell
 * differently are hidden from the parser: the engine gets the same tokens that were judged.
 */
export function parseDialect(
  text: string,
  { grammar }: Pick<ParsedDialect, 'grammar'>,
  more: { names: Partial<NameRules>; parse: TreeParser },
): ParsedSql {
  const lexed = lex(text, grammar.lex)
  if ('error' in lexed) return unreadable(lexed.error)
  const statements = splitStatements(lexed.tokens)
  const names = { searchPath: [], exactCase: grammar.exactCase, ownFunctions: [], ...more.names }
  const sql = lexed.sql.replace(/[;\s]+$/, '')
  const drafts: StatementDraft[] = []
  for (const tokens of statements) {
    if (heightOf(tokens) > MAX_HEIGHT)
      return unreadable('it is nested too deeply or chains too many operators to be checked')
    try {
      drafts.push(readTokens(tokens, grammar, more.parse))
    } catch (error) {
      return unreadable(whyUnreadable(error).replace(/^sql parser error: /, ''))
    }
  }
  return { statements: drafts.map((draft) => finishStatement(draft, sql, names)), error: undefined }
}

/** The parser's WebAssembly stack overflows between 600 and 800 operators in one chain, and does not recover. */
const MAX_HEIGHT = 400

/** Upper bound for the height of the syntax tree: open brackets, and operators since the last comma in each. */
function heightOf(tokens: readonly Token[]): number {
  const open = [0]
  let height = 0
  let highest = 0
  for (const { kind, value } of tokens) {
    const top = open.length - 1
    if (OPENING.has(value)) {
      open.push(0)
      height++
    } else if (CLOSING.has(value)) {
      if (top > 0) height -= open.pop()! + 1
    } else if (SEPARATING.has(value)) {
      height -= open[top]!
      open[top] = 0
    } else if ((kind === 'symbol' && value !== '.') || OPERATORS.has(value)) {
      open[top] = open[top]! + 1
      height++
    }
    highest = Math.max(highest, height)
  }
  return highest
}

const OPENING = new Set(['(', '[', 'CASE'])
const CLOSING = new Set([')', ']', 'END'])
const SEPARATING = new Set([',', 'WHEN', 'THEN', 'ELSE'])
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'XOR', 'IS', 'IN', 'LIKE', 'ILIKE', 'BETWEEN', 'DIV', 'MOD', 'COLLATE'])

function splitStatements(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const statements: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'symbol' && token.value === ';') statements.push([])
    else statements.at(-1)!.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

function readTokens(tokens: readonly Token[], grammar: Grammar, parse: TreeParser): StatementDraft {
  const verb = tokens[0]!.value
  if (!grammar.explains) return readQuery(tokens, grammar, parse)
  if (verb === 'SHOW') return readShow(tokens, grammar)
  if (!EXPLAINERS.has(verb)) return readQuery(tokens, grammar, parse)
  const start = explainedAt(tokens)
  if (start === undefined)
    return verb === 'ANALYZE' ? { ...draftStatement(), kind: 'other', verb } : readDescribe(tokens, grammar)
  const draft = readQuery(tokens.slice(start), grammar, parse)
  for (const { value } of tokens.slice(0, start)) if (grammar.never.includes(value)) draft.effects.add(value)
  return {
    ...draft,
    kind: draft.kind === 'query' ? 'explain' : 'other',
    verb: draft.kind === 'query' ? verb : draft.verb,
  }
}

// MariaDB's ANALYZE runs a statement and explains it; elsewhere ANALYZE gathers statistics.
const EXPLAINERS = new Set(['EXPLAIN', 'DESCRIBE', 'DESC', 'ANALYZE'])
const STATEMENTS = new Set(
  'SELECT WITH VALUES FROM TABLE INSERT UPDATE DELETE MERGE REPLACE CREATE DROP ALTER COPY UNLOAD EXPORT'.split(' '),
)

/** Index of the explained statement; undefined if a table is described. */
function explainedAt(tokens: readonly Token[]): number | undefined {
  let at = 1
  if (tokens[at]?.value === '(' && !opensQuery(tokens, at)) while (at < tokens.length && tokens[at]!.value !== ')') at++
  for (; at < tokens.length; at++) {
    const { kind, value } = tokens[at]!
    if (kind === 'name') return undefined
    if (kind === 'word' && STATEMENTS.has(value) && !isObjectWord(tokens, at)) return at
    if (value === '(' && opensQuery(tokens, at)) return at
  }
  return undefined
}

/** `DESCRIBE TABLE t` and `ANALYZE LOCAL TABLE t` name a table; `EXPLAIN TABLE t` explains a query. */
const isObjectWord = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.value === 'TABLE' && tokens[0]!.value !== 'EXPLAIN'

function opensQuery(tokens: readonly Token[], at: number): boolean {
  const next = tokens.slice(at).find((token) => token.value !== '(')
  return next?.kind === 'word' && STATEMENTS.has(next.value)
}

function readQuery(tokens: readonly Token[], grammar: Grammar, parse: TreeParser): StatementDraft {
  const spelled = grammar.respell(tokens)
  const masked = spelled.map((token) => (token.spaced ? ' ' : '') + forParser(token)).join('')
  const draft = fromSqlparserTree(parse(masked, grammar.parser), grammar, tokens[0]!.value)
  for (const { kind, value } of tokens) if (kind === 'word' && grammar.never.includes(value)) draft.effects.add(value)
  noteVariables(tokens, grammar, draft)
  return draft
}

/** A session variable may contain data that an earlier statement read, and stays set for later ones. */
function noteVariables(tokens: readonly Token[], { variables }: Grammar, draft: StatementDraft): void {
  for (const { kind, text, value } of tokens) {
    const isVariable =
      (kind === 'word' && value.startsWith('@') && !variables.includes(value)) ||
      (kind === 'symbol' && (value === ':=' || value === '@'))
    if (isVariable) draft.effects.add(`the session variable ${text}`)
  }
}

/** Dialects disagree about escapes only inside strings, and no verdict depends on a string's content. */
const forParser = ({ kind, text }: Token): string =>
  kind === 'string' && (/\\|^[^'"]/.test(text) || /^(['"])\1\1/.test(text)) ? "'?'" : text

/** SHOW COLUMNS and SHOW INDEX describe one table; everything else reveals the database, its users or its server. */
function readShow(tokens: readonly Token[], grammar: Grammar): StatementDraft {
  const draft = draftTelling(tokens, grammar)
  const words = tokens.map((token) => token.value)
  const keyword = words.findIndex((word) => ['COLUMNS', 'FIELDS', 'INDEX', 'INDEXES', 'KEYS'].includes(word))
  const from = ['FROM', 'IN'].includes(words[keyword + 1] ?? '') ? keyword + 2 : undefined
  if (keyword < 0 || keyword > 3 || from === undefined) draft.listsCatalogue = true
  else describeTable(tokens.slice(from), draft)
  return draft
}

function readDescribe(tokens: readonly Token[], grammar: Grammar): StatementDraft {
  const draft = draftTelling(tokens, grammar)
  const skipped = tokens.slice(1).filter(({ kind, value }, i) => !(i < 2 && kind === 'word' && DESCRIBED.has(value)))
  describeTable(skipped, draft)
  return draft
}

const DESCRIBED = new Set(['TABLE', 'VIEW', 'EXTENDED', 'FORMATTED', 'DETAIL', 'HISTORY'])

/** A table without hidden columns may be described. */
function describeTable(tokens: readonly Token[], draft: StatementDraft): void {
  const name: string[] = []
  let at = 0
  for (; at === 0 || tokens[at - 1]?.value === '.'; at += 2) {
    const { kind, text, value } = tokens[at] ?? { kind: 'symbol', text: '', value: '' }
    if (kind === 'word' || kind === 'name') name.push(kind === 'name' ? value : text)
  }
  // `SHOW COLUMNS FROM t FROM another_database WHERE …` may reveal anything; one pattern or one column after the name
  // reveals nothing.
  const rest = tokens.slice(at - 1).filter(({ value }) => value !== 'LIKE')
  if (name.length === 0 || rest.length > 1 || rest.some(({ kind }) => kind === 'symbol')) draft.listsCatalogue = true
  else draft.scope = described(name)
}

/** Reads SHOW and DESCRIBE from their tokens; one that contains a query becomes `other`. */
function draftTelling(tokens: readonly Token[], grammar: Grammar): StatementDraft {
  const draft = draftStatement()
  draft.verb = tokens[0]!.value
  draft.kind = tokens.some(
    ({ kind, value }) => kind === 'word' && (value === 'SELECT' || grammar.never.includes(value)),
  )
    ? 'other'
    : 'show'
  for (const [i, { kind, text }] of tokens.entries()) {
    if ((kind === 'word' || kind === 'name') && tokens[i + 1]?.value === '(')
      noteFunction(draft, text.toLowerCase(), undefined)
  }
  return draft
}
