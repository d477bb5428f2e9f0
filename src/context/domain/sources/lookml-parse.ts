/** A LookML parameter: `type: sum`, `view: orders { … }`, `fields: [id, name]`. */
export interface LookmlEntry {
  readonly key: string
  /** For a block: `orders` in `view: orders { … }`. */
  readonly name: string | undefined
  readonly value: string | readonly LookmlItem[] | LookmlBlock
}

/** List item; `value` is set for pairs such as `[orders.status: "paid"]`. */
export interface LookmlItem {
  readonly text: string
  readonly value: string | undefined
}

export interface LookmlBlock {
  readonly entries: readonly LookmlEntry[]
}

/** LookML syntax error, with its line. */
export class LookmlFault extends Error {}

const DEEPEST = 40
const MOST_ENTRIES = 200_000

/**
 * Parses LookML: blocks, quoted strings, lists, comments, and SQL that ends with `;;`. Liquid is kept as text. Each
 * character is visited once, so time is linear in the length. Throws LookmlFault.
 */
export function parseLookml(text: string): LookmlBlock {
  const reader = new LookmlReader(text)
  const root = reader.entries(0)
  if (!reader.isAtEnd()) throw reader.fault('a } that nothing opened')
  return { entries: root }
}

/** Whether a value ends with `;;`, regardless of its content. */
const isExpression = (key: string): boolean =>
  key === 'sql' || key === 'html' || key === 'expression' || /^(?:sql|expression)_/.test(key)

class LookmlReader {
  readonly #text: string
  #at = 0
  #count = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skip()
    return this.#at >= this.#text.length
  }

  fault(what: string): LookmlFault {
    return new LookmlFault(`line ${this.#text.slice(0, this.#at).split('\n').length}: ${what}`)
  }

  /** Reads to the closing } of the block, or the end of the file. */
  entries(depth: number, isOfSql = false): LookmlEntry[] {
    if (depth > DEEPEST) throw this.fault(`blocks are nested deeper than ${DEEPEST}`)
    const found: LookmlEntry[] = []
    for (;;) {
      this.#skip()
      const next = this.#text[this.#at]
      if (next === undefined || next === '}') return found
      if (++this.#count > MOST_ENTRIES) throw this.fault('the file has too many parameters')
      found.push(this.#entry(depth, isOfSql))
    }
  }

  #entry(depth: number, isOfSql: boolean): LookmlEntry {
    const key = this.#text[this.#at] === '"' ? this.#string() : this.#word()
    this.#skip()
    if (this.#text[this.#at] !== ':') throw this.fault(`a : should follow ${JSON.stringify(key.slice(0, 40))}`)
    this.#at++
    this.#skip(!isOfSql && !isExpression(key))
    const next = this.#text[this.#at]
    if (next === undefined) throw this.fault(`${JSON.stringify(key.slice(0, 40))} has no value`)
    if (key === 'sql_case' && next === '{') return { key, name: undefined, value: this.#block(depth, true) }
    if (isOfSql || isExpression(key)) return { key, name: undefined, value: this.#expression(key) }
    if (next === '{') return { key, name: undefined, value: this.#block(depth, false) }
    if (next === '[') return { key, name: undefined, value: this.#list() }
    const word = next === '"' ? this.#string() : this.#word()
    this.#skip()
    if (this.#text[this.#at] === '{') return { key, name: word, value: this.#block(depth, false) }
    return { key, name: undefined, value: word }
  }

  #block(depth: number, isOfSql: boolean): LookmlBlock {
    this.#at++
    const entries = this.entries(depth + 1, isOfSql)
    if (this.#text[this.#at] !== '}') throw this.fault('a { is not closed')
    this.#at++
    return { entries }
  }

  #expression(key: string): string {
    const end = this.#text.indexOf(';;', this.#at)
    if (end < 0) throw this.fault(`${key.slice(0, 40)} is not ended with ;;`)
    const found = this.#text.slice(this.#at, end).trim()
    this.#at = end + 2
    return found
  }

  #list(): LookmlItem[] {
    this.#at++
    const found: LookmlItem[] = []
    for (;;) {
      this.#skip()
      const next = this.#text[this.#at]
      if (next === undefined) throw this.fault('a [ is not closed')
      if (next === ']' || next === ',') {
        this.#at++
        if (next === ']') return found
        continue
      }
      if (++this.#count > MOST_ENTRIES) throw this.fault('the file has too many parameters')
      found.push(this.#item(next))
    }
  }

  #item(first: string): LookmlItem {
    const text = first === '"' ? this.#string() : this.#word()
    this.#skip()
    if (this.#text[this.#at] !== ':') return { text, value: undefined }
    this.#at++
    this.#skip()
    return { text, value: this.#text[this.#at] === '"' ? this.#string() : this.#word() }
  }

  /** Reads from one quote to the next unescaped one. */
  #string(): string {
    const start = ++this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (character === '"') return this.#text.slice(start, this.#at++).replaceAll(/\\(["\\])/g, '$1')
    }
    this.#at = start
    throw this.fault('a quote is not closed')
  }

  /** Reads to the end of the word; may contain a constant `@{name}`. */
  #word(): string {
    const start = this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!
      if (character === '@' && this.#text[this.#at + 1] === '{') {
        const end = this.#text.indexOf('}', this.#at)
        if (end < 0 || end - this.#at > 200) throw this.fault('a constant is not closed')
        this.#at = end
      } else if (ENDS_WORD.has(character)) break
    }
    if (this.#at === start) throw this.fault(`${JSON.stringify(this.#text[start] ?? '')} is not expected here`)
    return this.#text.slice(start, this.#at)
  }

  /** Skips blanks and line comments; SQL may itself begin with a #. */
  #skip(withComments = true): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]!
      if (character === '#' && withComments) {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end < 0 ? this.#text.length : end
      } else if (!BLANKS.has(character)) return
    }
  }
}

const BLANKS = new Set([' ', '\t', '\n', '\r', '\f', '\u00a0', '\ufeff'])
const ENDS_WORD = new Set([...BLANKS, '{', '}', '[', ']', ',', ':', '"', '#'])
