/** A call at the top of a file, with its arguments as values; those known only at run time are undefined. */
export interface JsCall {
  readonly callee: string
  readonly values: readonly unknown[]
  /** Paths of missing values: `measures.total.sql`. */
  readonly dynamic: readonly string[]
}

export interface JsCalls {
  readonly calls: readonly JsCall[]
  /** Lines with a call that is made at run time, e.g. in a loop; the first ones. */
  readonly hidden: readonly number[]
}

/** A fault in a file, and its place. */
export class JsFault extends Error {}

/**
 * Reads plain literals from JavaScript without running it: the strings, numbers, lists and objects that `callees` are
 * called with. Works in one pass and skips other code. Throws JsFault.
 */
export function readJsCalls(text: string, callees: ReadonlySet<string>): JsCalls {
  return new JsReader(text, callees).calls()
}

const DEEPEST = 40
const MOST_HIDDEN = 20
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }
const NAME = /[\p{L}\p{N}_$]/u

class JsReader {
  readonly #text: string
  readonly #callees: ReadonlySet<string>
  readonly #hidden: number[] = []
  #dynamic: string[] = []
  #at = 0

  constructor(text: string, callees: ReadonlySet<string>) {
    this.#text = text
    this.#callees = callees
  }

  calls(): JsCalls {
    const found: JsCall[] = []
    for (;;) {
      this.#blanks()
      if (this.#at >= this.#text.length) return { calls: found, hidden: this.#hidden }
      const name = this.#name()
      if (name !== '' && this.#isCall(name)) {
        const call = this.#call(name)
        if (call !== undefined) found.push(call)
      } else if (name === '') this.#step([])
    }
  }

  #call(callee: string): JsCall | undefined {
    const start = this.#at
    this.#dynamic = []
    this.#at++
    this.#blanks()
    const isQuoted = /["'`]/.test(this.#text[this.#at] ?? '')
    const values = this.#values(')', { path: '', depth: 0 })
    const [name] = values
    if (isQuoted && typeof name === 'string' && !/[{}]/.test(name)) return { callee, values, dynamic: this.#dynamic }
    this.#hide(start)
    return undefined
  }

  #fault(what: string): JsFault {
    return new JsFault(`line ${this.#line(this.#at)}: ${what}`)
  }

  #line(at: number): number {
    return this.#text.slice(0, at).split('\n').length
  }

  /** Records a limited number of lines: finding each one costs the length of the file. */
  #hide(at: number): void {
    if (this.#hidden.length < MOST_HIDDEN) this.#hidden.push(this.#line(at))
  }

  #isCall(name: string): boolean {
    if (!this.#callees.has(name) || this.#text[this.#at - name.length - 1] === '.') return false
    this.#blanks()
    return this.#text[this.#at] === '('
  }

  #name(): string {
    const start = this.#at
    while (this.#at < this.#text.length && NAME.test(this.#text[this.#at]!)) this.#at++
    return this.#text.slice(start, this.#at)
  }

  /** Skips blanks and comments. */
  #blanks(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const two = this.#text.slice(this.#at, this.#at + 2)
      if (two === '//' || two === '/*') {
        const end = this.#text.indexOf(two === '//' ? '\n' : '*/', this.#at + 2)
        this.#at = end < 0 ? this.#text.length : end + (two === '//' ? 0 : 1)
      } else if (!/\s/.test(this.#text[this.#at]!)) return
    }
  }

  #values(closer: ')' | ']', { path, depth }: { readonly path: string; readonly depth: number }): unknown[] {
    const found: unknown[] = []
    for (;;) {
      this.#blanks()
      const next = this.#text[this.#at]
      if (next === undefined) throw this.#fault(`a ${closer} is missing`)
      if (next === closer) {
        this.#at++
        return found
      }
      if (next === ',') this.#at++
      else found.push(this.#value({ path, depth: depth + 1, isName: closer === ']' }))
    }
  }

  #value(place: { readonly path: string; readonly depth: number; readonly isName: boolean }): unknown {
    if (place.depth > DEEPEST) throw this.#fault(`values are nested deeper than ${DEEPEST}`)
    const start = this.#at
    const found = this.#literal(place)
    this.#blanks()
    if (found !== DYNAMIC && ENDS.has(this.#text[this.#at] ?? '')) return found
    // An operator follows, or the value is not a literal: it is known only at run time.
    this.#expression(start)
    this.#dynamic.push(place.path)
    return undefined
  }

  #literal({ path, depth, isName }: { path: string; depth: number; isName: boolean }): unknown {
    const next = this.#text[this.#at]!
    if (next === "'" || next === '"') return this.#string(next)
    if (next === '`') return this.#template()
    if (next === '[') {
      this.#at++
      return this.#values(']', { path, depth })
    }
    if (next === '{') return this.#object({ path, depth })
    if (/[-\d]/.test(next)) return this.#number()
    const name = this.#path()
    if (name === 'true' || name === 'false') return name === 'true'
    if (name === 'null' || name === 'undefined') return null
    // Cube treats a member of a cube as a name, whatever it is in JavaScript.
    return name.includes('.') || name === 'CUBE' || (isName && name !== '') ? name : DYNAMIC
  }

  #object({ path, depth }: { readonly path: string; readonly depth: number }): Record<string, unknown> {
    this.#at++
    const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    for (;;) {
      this.#blanks()
      const next = this.#text[this.#at]
      if (next === undefined) throw this.#fault('a } is missing')
      if (next === '}') {
        this.#at++
        return found
      }
      if (next === ',') {
        this.#at++
        continue
      }
      const start = this.#at
      const key = next === "'" || next === '"' ? this.#string(next) : this.#name()
      const at = path === '' ? key : `${path}.${key}`
      this.#blanks()
      if (key !== '' && this.#text[this.#at] === ':') {
        this.#at++
        this.#blanks()
        found[key] = this.#value({ path: at, depth: depth + 1, isName: NAMED.has(key) })
      } else {
        // `...spread`, `[computed]: 1`, `short`, `method() {}`.
        this.#expression(start)
        this.#dynamic.push(key === '' ? `${path}…` : at)
      }
    }
  }

  #string(quote: string): string {
    const start = ++this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (character === '\n') break
      else if (character === quote) return unescaped(this.#text.slice(start, this.#at++))
    }
    this.#at = start
    throw this.#fault('a quote is not closed')
  }

  /** `${CUBE}.id` becomes `{CUBE}.id`, as in Cube's YAML; anything longer than a name is known only at run time. */
  #template(): unknown {
    const start = this.#at++
    const parts: string[] = []
    let from = this.#at
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (character === '`') {
        parts.push(unescaped(this.#text.slice(from, this.#at++)))
        return parts.join('').trim()
      } else if (character === '$' && this.#text[this.#at + 1] === '{') {
        parts.push(unescaped(this.#text.slice(from, this.#at)))
        this.#at += 2
        const name = this.#path()
        if (name === '' || this.#text[this.#at] !== '}') {
          this.#at = start
          return DYNAMIC
        }
        parts.push(`{${name}}`)
        from = this.#at + 1
      }
    }
    this.#at = start
    throw this.#fault('a template is not closed')
  }

  #path(): string {
    const start = this.#at
    while (this.#at < this.#text.length && (NAME.test(this.#text[this.#at]!) || this.#text[this.#at] === '.'))
      this.#at++
    return this.#text.slice(start, this.#at)
  }

  #number(): unknown {
    const start = this.#at
    while (this.#at < this.#text.length && /[-+.\w]/.test(this.#text[this.#at]!)) this.#at++
    const found = Number(this.#text.slice(start, this.#at).replaceAll('_', ''))
    return Number.isFinite(found) ? found : DYNAMIC
  }

  /** Skips code that began at `start`, up to the end of the enclosing value. */
  #expression(start: number): void {
    const open: string[] = []
    for (;;) {
      if (open.at(-1) !== '`') this.#blanks()
      const next = this.#text[this.#at]
      if (next === undefined) throw this.#fault('the file ends inside of an expression')
      if (open.length === 0 && ENDS.has(next)) {
        // A closing bracket without an opening one: continuing would loop forever.
        if (this.#at === start) throw this.#fault(`${next} is not expected here`)
        return
      }
      this.#step(open)
    }
  }

  /** Skips one character, string or name of code; `open` has the pending closers, a backtick for a template. */
  #step(open: string[]): void {
    const next = this.#text[this.#at]!
    const inside = open.at(-1)
    if (inside === '`') {
      if (next === '\\') this.#at++
      else if (next === '`') open.pop()
      else if (next === '$' && this.#text[this.#at + 1] === '{') {
        open.push('}')
        this.#at++
      }
      this.#at++
    } else if (next === "'" || next === '"') this.#string(next)
    else if (next === '`' || CLOSERS[next] !== undefined) {
      open.push(CLOSERS[next] ?? '`')
      this.#at++
      if (open.length === 1) this.#whole(open)
    } else if (NAME.test(next)) {
      const start = this.#at
      if (this.#isCall(this.#name())) this.#hide(start)
    } else {
      if (next === inside) open.pop()
      this.#at++
    }
  }

  /** Skips to the end of the first bracket. */
  #whole(open: string[]): void {
    while (open.length > 0) {
      if (open.at(-1) !== '`') this.#blanks()
      if (this.#at >= this.#text.length) throw this.#fault(`a ${open.at(-1)} is missing`)
      this.#step(open)
    }
  }
}

/** Fields with the name of a cube or a member, as in lists of members. */
const NAMED = new Set(['join_path', 'joinPath', 'extends', 'time_dimension', 'timeDimension', 'timeDimensionReference'])
const DYNAMIC = Symbol('only running it would tell')
const ENDS = new Set([',', '}', ']', ')'])
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' }
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, character: string) => ESCAPED[character] ?? character)
