/** Whether a path with forward slashes matches. */
export type PathTest = (path: string) => boolean

export interface GlobOptions {
  readonly ignoreCase?: boolean
  /** Only `*`, `**`, `?` and `[…]` are special, and `a/**` does not match `a` itself, as in .gitignore. */
  readonly plain?: boolean
}

const LONGEST_PATTERN = 1_000

/**
 * Compiles a pattern with `*`, `?`, `[a-z]`, `{a,b}`, `{1..9}`, `@(a|b)` and similar, `\` to escape a character, `**`
 * for any folders, and a leading `!` to negate. Undefined for a pattern that is too long. All alternatives are followed
 * in parallel, so the time is at most path times pattern: a regular expression would try them one after the other,
 * which a pattern from a clone can make endless.
 */
export function compileGlob(
  pattern: string,
  { ignoreCase = false, plain = false }: GlobOptions = {},
): PathTest | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined
  const isContrary = !plain && /^!(?!\()/.test(pattern)
  const bare = plain ? pattern : pattern.slice(isContrary ? 1 : 0).replace(/^\.\//, '')
  const fold = ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text
  const [, star, literal] = /^(\*?)([^*?[\]{}()!+@|\\/]*)$/.exec(bare) ?? []
  if (literal !== undefined) {
    // Nearly every line of a .gitignore is a name or an extension.
    const wanted = fold(literal)
    return star === ''
      ? (path) => (fold(path) === wanted) !== isContrary
      : (path) => (!path.includes('/') && fold(path).endsWith(wanted)) !== isContrary
  }
  const states = new GlobParser(bare, plain).compile(ignoreCase)
  return (path) => runs(states, fold(path)) !== isContrary
}

type Char = (character: string) => boolean

/** A state with `take` consumes one character; others consume none. The last state of a pattern is its end. */
type State = { readonly take: Char; next: number } | { readonly take?: undefined; readonly ways: number[] }

type Node =
  | { readonly kind: 'char'; readonly fits: Char }
  | { readonly kind: 'row'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: 0 | 1; readonly most: 1 | typeof Infinity }

const isSlash: Char = (character) => character === '/'
const inSegment: Char = (character) => character !== '/'
const any: Char = () => true
const one = (fits: Char): Node => ({ kind: 'char', fits })
const row = (nodes: readonly Node[]): Node => ({ kind: 'row', nodes })
const repeat = (node: Node, least: 0 | 1, most: 1 | typeof Infinity): Node => ({ kind: 'repeat', node, least, most })

const DEEPEST = 20
const MOST_NUMBERS = 1_000
// An unclosed group is parsed again as literal text, so each unclosed group would double the time.
const MOST_UNCLOSED = 5

class GlobParser {
  #at = 0
  #unclosed = 0
  #fold = (text: string): string => text
  readonly #pattern: string
  readonly #plain: boolean

  constructor(pattern: string, plain: boolean) {
    this.#pattern = pattern
    this.#plain = plain
  }

  compile(ignoreCase: boolean): readonly State[] {
    if (ignoreCase) this.#fold = (text) => text.toLowerCase()
    const states: State[] = []
    build(this.#row('', 0), states)
    states.push({ ways: [] })
    return states
  }

  #row(until: string, depth: number): Node {
    const nodes: Node[] = []
    while (this.#at < this.#pattern.length && !until.includes(this.#pattern[this.#at]!)) nodes.push(this.#piece(depth))
    return row(nodes)
  }

  #piece(depth: number): Node {
    const folders = this.#folders()
    if (folders !== undefined) return folders
    const character = this.#pattern[this.#at]!
    const group = this.#plain || depth >= DEEPEST ? undefined : (this.#braces(depth) ?? this.#extended(depth))
    if (group !== undefined) return group
    if (character === '*') return this.#stars()
    if (character === '?') return this.#step(one(inSegment))
    if (character === '[') return this.#set() ?? this.#step(this.#literal('['))
    if (character === '\\' && this.#at + 1 < this.#pattern.length) this.#at++
    return this.#step(this.#literal(this.#pattern[this.#at]!))
  }

  #stars(): Node {
    const start = this.#at
    while (this.#pattern[this.#at] === '*') this.#at++
    const isWide = !this.#plain && this.#at - start > 1 && start === 0
    return repeat(one(isWide ? any : inSegment), 0, Infinity)
  }

  #opens(at: number): boolean {
    return at === 0 || '/{,(|'.includes(this.#pattern[at - 1]!)
  }

  #step(node: Node): Node {
    this.#at++
    return node
  }

  #literal(character: string): Node {
    const wanted = this.#fold(character)
    return row(wanted.split('').map((each) => one((found) => found === each)))
  }

  /**
   * Parses a `**` that fills a segment, with the slash before or after it, which is optional if there are no folders.
   */
  #folders(): Node | undefined {
    const rest = this.#pattern.slice(this.#at, this.#at + 4)
    const opens = this.#opens(this.#at)
    if (opens && rest.startsWith('**/')) {
      while (this.#pattern.startsWith('**/', this.#at)) this.#at += 3
      return repeat(row([repeat(one(any), 0, Infinity), one(isSlash)]), 0, 1)
    }
    if (opens && rest === '**') return ((this.#at += 2), repeat(one(any), this.#plain ? 1 : 0, Infinity))
    if (!this.#plain && rest === '/**' && this.#at > 0)
      return ((this.#at += 3), repeat(row([one(isSlash), repeat(one(any), 0, Infinity)]), 0, 1))
    return undefined
  }

  #set(): Node | undefined {
    const found = /^\[([!^]?)(\]?(?:\\.|[^\\\]])*)\]/s.exec(this.#pattern.slice(this.#at, this.#at + 256))
    if (found === null || found[2] === '') return undefined
    this.#at += found[0].length
    const isContrary = found[1] !== ''
    const ranges = rangesOf(found[2]!, this.#fold)
    return one(
      (character) =>
        character !== '/' && ranges.some(([from, to]) => character >= from && character <= to) !== isContrary,
    )
  }

  #braces(depth: number): Node | undefined {
    if (this.#pattern[this.#at] !== '{') return undefined
    const numbers = /^\{(-?\d{1,9})\.\.(-?\d{1,9})\}/.exec(this.#pattern.slice(this.#at, this.#at + 32))
    if (numbers !== null && Math.abs(Number(numbers[1]) - Number(numbers[2])) < MOST_NUMBERS) {
      this.#at += numbers[0].length
      const [from, to] = [Number(numbers[1]), Number(numbers[2])].toSorted((a, b) => a - b) as [number, number]
      return {
        kind: 'choice',
        nodes: Array.from({ length: to - from + 1 }, (_, i) =>
          row([...String(from + i)].map((digit) => this.#literal(digit))),
        ),
      }
    }
    return this.#choice({ after: 1, between: ',', end: '}', depth })
  }

  #extended(depth: number): Node | undefined {
    const kind = this.#pattern[this.#at]!
    if (!'@?*+'.includes(kind) || this.#pattern[this.#at + 1] !== '(') return undefined
    const choice = this.#choice({ after: 2, between: '|', end: ')', depth })
    if (choice === undefined || kind === '@') return choice
    return repeat(choice, kind === '+' ? 1 : 0, kind === '?' ? 1 : Infinity)
  }

  /** Parses a group. Undefined, with nothing consumed, if it is not closed; a brace without a comma is literal. */
  #choice({
    after,
    between,
    end,
    depth,
  }: {
    after: number
    between: string
    end: string
    depth: number
  }): Node | undefined {
    if (this.#unclosed >= MOST_UNCLOSED) return undefined
    const start = this.#at
    this.#at += after
    const nodes = [this.#row(between + end, depth + 1)]
    while (this.#pattern[this.#at] === between) {
      this.#at++
      nodes.push(this.#row(between + end, depth + 1))
    }
    const isClosed = this.#pattern[this.#at] === end
    if (!isClosed || (end === '}' && nodes.length === 1)) {
      this.#at = start
      this.#unclosed++
      return undefined
    }
    this.#at++
    return { kind: 'choice', nodes }
  }
}

function rangesOf(inside: string, fold: (text: string) => string): (readonly [string, string])[] {
  const ranges: (readonly [string, string])[] = []
  for (const [, from, to] of inside.matchAll(/\\?(.)(?:-\\?([^\]]))?/gs)) {
    ranges.push([fold(from!), fold(to ?? from!)])
  }
  return ranges
}

/** Appends the states of a node, which lead to the next state appended. */
function build(node: Node, states: State[]): void {
  if (node.kind === 'char') states.push({ take: node.fits, next: states.length + 1 })
  else if (node.kind === 'row') for (const inner of node.nodes) build(inner, states)
  else if (node.kind === 'choice') buildChoice(node.nodes, states)
  else buildRepeat(node, states)
}

function buildChoice(nodes: readonly Node[], states: State[]): void {
  const fork = { ways: [] as number[] }
  const ends: { ways: number[] }[] = []
  states.push(fork)
  for (const node of nodes) {
    fork.ways.push(states.length)
    build(node, states)
    const end = { ways: [] as number[] }
    ends.push(end)
    states.push(end)
  }
  for (const end of ends) end.ways.push(states.length)
}

function buildRepeat({ node, least, most }: Extract<Node, { kind: 'repeat' }>, states: State[]): void {
  const start = states.length
  const entry = { ways: [start + 1] }
  states.push(entry)
  build(node, states)
  const again = { ways: most === 1 ? [] : [start + 1] }
  states.push(again)
  again.ways.push(states.length)
  if (least === 0) entry.ways.push(states.length)
}

/** Tracks every possible state after each character. */
function runs(states: readonly State[], path: string): boolean {
  const seen = new Int32Array(states.length).fill(-1)
  let now = reach(states, [0], seen, 0)
  for (let i = 0; i < path.length; i++) {
    const character = path[i]!
    const next: number[] = []
    for (const at of now) {
      const state = states[at]!
      if (state.take?.(character)) next.push(state.next)
    }
    if (next.length === 0) return false
    now = reach(states, next, seen, i + 1)
  }
  return now.includes(states.length - 1)
}

/** States reachable without a further character; `seen` contains the round in which each was last found. */
function reach(states: readonly State[], from: number[], seen: Int32Array, round: number): number[] {
  const found: number[] = []
  for (let at = from.pop(); at !== undefined; at = from.pop()) {
    if (seen[at] === round) continue
    seen[at] = round
    found.push(at)
    const state = states[at]!
    if (state.take === undefined) for (const way of state.ways) from.push(way)
  }
  return found
}
