/** A CHECK, summarised if possible. */
export interface Check {
  /** Columns it names. */
  readonly columns: readonly string[]
  /** Without the brackets and casts that engines add. */
  readonly expression: string
  /** Allowed values, if it restricts a single column to a list. */
  readonly labels: readonly string[] | undefined
  readonly says: 'not null' | 'json' | undefined
}

// A longer CHECK is a program, of no use to the reader of a catalogue.
const LONGEST = 4_000
const LONGEST_TYPE = 20_000

/**
 * Parses a CHECK as the catalogue writes it, given the columns of its table; in a domain's CHECK, VALUE is a column.
 */
export function readCheck(written: string, columns: readonly string[], value?: string): Check {
  const short = tidied(written.slice(0, LONGEST))
  const expression =
    value === undefined ? short : outsideTexts(short, (part) => part.replaceAll(/\bVALUE\b/g, () => quoted(value)))
  const named = columnsIn(expression, columns)
  const [only] = named
  const bare = only === undefined || named.length > 1 ? undefined : withoutName(expression, only)
  return {
    columns: named,
    expression,
    labels: bare === undefined ? undefined : listOf(bare),
    says:
      bare === undefined
        ? undefined
        : /^@ is not null$/i.test(bare)
          ? 'not null'
          : /^json_valid ?\(? ?@ ?\)?$/i.test(bare)
            ? 'json'
            : undefined,
  }
}

/** Labels of an enumerated type, as DuckDB, MySQL and ClickHouse write it, inside any wrapper. */
export function labelsOfType(type: string): readonly string[] | undefined {
  const list = /^(?:(?:Nullable|LowCardinality|Array)\()*(?:enum(?:8|16)?|set)\s*\(/i.exec(type)
  if (list === null || type.length > LONGEST_TYPE) return undefined
  const labels = literalsOf(type.slice(list[0].length))
  return labels.length === 0 ? undefined : labels
}

const quoted = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

const LITERAL = /(?:\bN|\b_utf8mb[34]\\?)?'(?:[^'\\]|''|\\.)*'/gi

const literalsOf = (text: string): readonly string[] =>
  [...text.matchAll(LITERAL)].map(([literal]) => unquoted(literal))

const unquoted = (literal: string): string =>
  literal
    .slice(literal.indexOf("'") + 1, -1)
    .replaceAll("''", "'")
    .replaceAll(/\\(.)/g, '$1')

/** Applies a change to everything outside string literals. */
function outsideTexts(sql: string, change: (part: string) => string): string {
  let [out, at] = ['', 0]
  for (const found of sql.matchAll(LITERAL)) {
    out += change(sql.slice(at, found.index)) + found[0]
    at = found.index + found[0].length
  }
  return out + change(sql.slice(at))
}

const CAST =
  /::(?:[a-z_]\w*|"[^"]*")(?: varying| precision| with(?:out)? time zone)?(?:\(\d{1,4}(?:, ?\d{1,4})?\))?(?:\[\])?/gi

function tidied(written: string): string {
  const text = outsideTexts(written.replace(/^\s*CHECK\b/i, ''), (part) =>
    part.replaceAll(CAST, '').replaceAll(/\s+/g, ' '),
  )
  return unwrapped(text)
}

/** Removes brackets around the whole expression. */
function unwrapped(given: string): string {
  let text = given.trim()
  while (text.startsWith('(') && closing(text) === text.length - 1) text = text.slice(1, -1).trim()
  return text
}

function closing(text: string): number {
  const plain = text.replaceAll(LITERAL, (literal) => '_'.repeat(literal.length))
  let depth = 0
  for (let at = 0; at < plain.length; at++) {
    if (plain[at] === '(') depth++
    else if (plain[at] === ')' && --depth === 0) return at
  }
  return -1
}

const NAME = /"((?:[^"]|"")+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}_][\p{L}\p{N}_$]*)(?! ?\()/gu

function columnsIn(expression: string, columns: readonly string[]): readonly string[] {
  const known = new Map(columns.map((name) => [name.toLowerCase(), name]))
  const found = new Set<string>()
  outsideTexts(expression, (part) => {
    for (const [, quoted, ticked, boxed, bare] of part.matchAll(NAME)) {
      const name = known.get((quoted?.replaceAll('""', '"') ?? ticked ?? boxed ?? bare ?? '').toLowerCase())
      if (name !== undefined) found.add(name)
    }
    return part
  })
  return columns.filter((name) => found.has(name))
}

/** Replaces the column by `@`, regardless of quotes and brackets. */
function withoutName(expression: string, column: string): string {
  const same = (name: string): boolean => name.toLowerCase() === column.toLowerCase()
  const named = outsideTexts(expression, (part) =>
    part.replaceAll(NAME, (whole: string, quoted?: string, ticked?: string, boxed?: string, bare?: string) =>
      same(quoted?.replaceAll('""', '"') ?? ticked ?? boxed ?? bare ?? '') ? '@' : whole,
    ),
  )
  return unwrapped(named.replaceAll('(@)', '@'))
}

/** Matches `@ IN ('a', 'b')`, `@ = ANY (ARRAY['a', 'b'])`, or `@ = 'a' OR @ = 'b'`; also numbers. */
function listOf(bare: string): readonly string[] | undefined {
  const shape = bare.replaceAll(LITERAL, '?').replaceAll(/(?<![\w.?])-?\d+(?:\.\d+)?(?![\w.])/g, '?')
  const item = String.raw`\(?\?\)?`
  const isList =
    new RegExp(String.raw`^@ ?(?:IN ?\(|= ?ANY ?\(+ ?ARRAY ?\[) ?${item}(?: ?, ?${item})*[\])]+$`, 'i').test(shape) ||
    new RegExp(String.raw`^\(?@ ?= ?${item}\)?(?: OR \(?@ ?= ?${item}\)?)*$`, 'i').test(shape)
  if (!isList) return undefined
  return [...bare.matchAll(new RegExp(`${LITERAL.source}|-?\\d+(?:\\.\\d+)?`, 'gi'))].map(([one]) =>
    one.includes("'") ? unquoted(one) : one,
  )
}
