/** Whether a pattern matches anywhere in a text. */
export interface Pattern {
  test(text: string): boolean
}

const MOST_STATES = 1_000
const DEEPEST = 50
const LONGEST_TEXT = 100_000

/**
 * Compiles an untrusted regular expression. All alternatives are followed in parallel, so the time is at most text
 * times pattern; otherwise a pattern in a test file could run endlessly. It therefore has no look-around and no
 * back-references. `(?i)`, `(?s)` and `(?m)` may come first.
 */
export function compilePattern(source: string): Pattern | { readonly fault: string } {
  const [front = '', flags = ''] = /^\(\?([ims]+)\)/.exec(source) ?? []
  const body = source.slice(front.length)
  const unicode = isValid(body, 'u') ? 'u' : ''
  if (unicode === '' && !isValid(body, '')) return { fault: `/${source}/ is no regular expression` }
  try {
    const parser = new PatternParser(body, flags, unicode)
    const tree = parser.parse()
    const states: State[] = [{ kind: 'end' }]
    const start = emit(tree, 0, states)
    return { test: (text) => runs(states, start, Array.from(text.slice(0, LONGEST_TEXT))) }
  } catch (error) {
    if (error instanceof Refused) return { fault: `/${source}/ ${error.message}` }
    throw error
  }
}

function isValid(source: string, flags: string): boolean {
  try {
    void new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

class Refused extends Error {}

type Fits = (character: string) => boolean
type Stands = (before: string | undefined, after: string | undefined) => boolean

type Node =
  | { readonly kind: 'char'; readonly fits: Fits }
  | { readonly kind: 'stand'; readonly stands: Stands }
  | { readonly kind: 'row'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }

// JavaScript's engine has validated the escape; here it is only split off.
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^])/uy
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/uy
const COUNT = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/uy
const GROUP = /\((?:\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>))?/uy
const CHARACTER = /[^]/uy

class PatternParser {
  readonly #source: string
  readonly #flags: string
  readonly #unicode: string
  #at = 0
  #depth = 0

  constructor(source: string, flags: string, unicode: string) {
    this.#source = source
    this.#flags = flags
    this.#unicode = unicode
  }

  parse(): Node {
    return this.#choice()
  }

  #choice(): Node {
    if (++this.#depth > DEEPEST) throw new Refused('is nested too deeply')
    const nodes = [this.#row()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      nodes.push(this.#row())
    }
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes }
  }

  #row(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) nodes.push(this.#counted())
    return { kind: 'row', nodes }
  }

  #counted(): Node {
    const node = this.#atom()
    const found = this.#take(COUNT)
    if (found === undefined) return node
    const [sign, least, comma, most] = found
    if (least === undefined)
      return { kind: 'repeat', node, least: sign.startsWith('+') ? 1 : 0, most: sign.startsWith('?') ? 1 : Infinity }
    const upTo = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)
    return { kind: 'repeat', node, least: Number(least), most: upTo }
  }

  #atom(): Node {
    const first = this.#source[this.#at]
    if (first === '(') return this.#group()
    if (first === '^' || first === '$') {
      this.#at++
      return { kind: 'stand', stands: this.#edge(first) }
    }
    const found = this.#take(ESCAPE) ?? this.#take(CLASS) ?? this.#take(CHARACTER)
    const text = found![0]
    if (text === String.raw`\b`) return { kind: 'stand', stands: isEdgeOfWord }
    if (text === String.raw`\B`) return { kind: 'stand', stands: (...sides) => !isEdgeOfWord(...sides) }
    if (/^\\[1-9k]/.test(text)) throw new Refused('refers back to a group, which takes too long')
    return { kind: 'char', fits: this.#fitting(text) }
  }

  #group(): Node {
    const opened = this.#take(GROUP)![0]
    if (opened === '(' && this.#source[this.#at] === '?')
      throw new Refused(
        /^\?(?:<?[=!])/.test(this.#source.slice(this.#at, this.#at + 3))
          ? 'looks ahead or behind, which takes too long'
          : 'sets flags inside: write (?i) in front',
      )
    const node = this.#choice()
    this.#at++
    return node
  }

  #edge(sign: '^' | '$'): Stands {
    const isLines = this.#flags.includes('m')
    return (before, after) => {
      const side = sign === '^' ? before : after
      return side === undefined || (isLines && side === '\n')
    }
  }

  /** One character at a time, so that JavaScript's engine cannot backtrack. */
  #fitting(atom: string): Fits {
    const flags = `${this.#unicode}${this.#flags.replaceAll(/[^is]/g, '')}`
    const pattern = new RegExp(
      `^(?:${/^[\][{}()|/^$*+?]$/.test(atom) ? `\\${atom}` : atom})$`,
      [...new Set(flags)].join(''),
    )
    const known = new Map<string, boolean>()
    return (character) => {
      const before = known.get(character)
      if (before !== undefined) return before
      const fits = pattern.test(character)
      known.set(character, fits)
      return fits
    }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found !== null) this.#at += found[0].length
    return found ?? undefined
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
const isEdgeOfWord: Stands = (before, after) => isWord(before) !== isWord(after)

type State =
  | { readonly kind: 'end' }
  | { readonly kind: 'char'; readonly fits: Fits; readonly next: number }
  | { readonly kind: 'stand'; readonly stands: Stands; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: number[] }

/** Emits the states of a node before the state that follows it, and returns the first. */
function emit(node: Node, next: number, states: State[]): number {
  const add = (state: State): number => {
    if (states.length >= MOST_STATES) throw new Refused('is too long')
    return states.push(state) - 1
  }
  switch (node.kind) {
    case 'char':
      return add({ ...node, next })
    case 'stand':
      return add({ ...node, next })
    case 'row':
      return node.nodes.reduceRight((after, one) => emit(one, after, states), next)
    case 'choice':
      return add({ kind: 'fork', ways: node.nodes.map((one) => emit(one, next, states)) })
    case 'repeat':
      return repeated(node, next)
  }

  function repeated({ node: inner, least, most }: Extract<Node, { kind: 'repeat' }>, after: number): number {
    if (least > MOST_STATES || (most !== Infinity && most > MOST_STATES)) throw new Refused('counts too far')
    let first = after
    if (most === Infinity) {
      const ways: number[] = [after]
      first = add({ kind: 'fork', ways })
      ways.push(emit(inner, first, states))
    } else for (let i = least; i < most; i++) first = add({ kind: 'fork', ways: [after, emit(inner, first, states)] })
    for (let i = 0; i < least; i++) first = emit(inner, first, states)
    return first
  }
}

function runs(states: readonly State[], start: number, text: readonly string[]): boolean {
  let current: number[] = []
  const seen = new Int32Array(states.length).fill(-1)
  for (let at = 0; at <= text.length; at++) {
    const reached: number[] = []
    const open = [...current, start]
    while (open.length > 0) {
      const id = open.pop()!
      if (seen[id] === at) continue
      seen[id] = at
      const state = states[id]!
      if (state.kind === 'end') return true
      if (state.kind === 'fork') open.push(...state.ways)
      else if (state.kind === 'char') reached.push(id)
      else if (state.stands(text[at - 1], text[at])) open.push(state.next)
    }
    if (at === text.length) return false
    current = reached.flatMap((id) => {
      const state = states[id]!
      return state.kind === 'char' && state.fits(text[at]!) ? [state.next] : []
    })
  }
  return false
}
