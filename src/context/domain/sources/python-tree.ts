/** Python expression, as far as purely declarative files need it. */
export type PyExpression =
  | { readonly kind: 'text'; readonly value: string }
  /** f-string or concatenation: texts and the expressions between them. */
  | { readonly kind: 'joined'; readonly parts: readonly PyExpression[] }
  | { readonly kind: 'constant'; readonly text: string }
  /** `a` or `a.b.c` */
  | { readonly kind: 'name'; readonly name: string }
  | PyCall
  /** List, tuple or set. */
  | { readonly kind: 'list'; readonly items: readonly PyExpression[] }
  | { readonly kind: 'dictionary'; readonly entries: readonly (readonly [PyExpression, PyExpression])[] }
  /** `a >> b << c`, left to right. */
  | { readonly kind: 'chain'; readonly operands: readonly PyExpression[]; readonly operators: readonly string[] }
  | { readonly kind: 'other'; readonly text: string }

export interface PyCall {
  readonly kind: 'call'
  /** `PostgresOperator`, `task.branch`, `chain`; only the last name if called on another call. */
  readonly callee: string
  /** Receiver of the method, if that is itself a call: `a().b()`. */
  readonly on: PyExpression | undefined
  readonly given: readonly PyExpression[]
  readonly named: Readonly<Record<string, PyExpression>>
  /** As written, without line breaks. */
  readonly text: string
}

export type PyStatement =
  | { readonly kind: 'assign'; readonly target: string; readonly value: PyExpression }
  | { readonly kind: 'expression'; readonly value: PyExpression }
  | { readonly kind: 'import'; readonly module: string }
  | {
      readonly kind: 'with'
      readonly items: readonly { readonly value: PyExpression; readonly alias: string | undefined }[]
      readonly body: readonly PyStatement[]
    }
  | PyFunction
  /** Body of `if`, `for`, `while`, `try` and `class`. */
  | { readonly kind: 'block'; readonly body: readonly PyStatement[] }

export interface PyFunction {
  readonly kind: 'function'
  readonly name: string
  readonly decorators: readonly PyExpression[]
  readonly parameters: readonly string[]
  readonly doc: string | undefined
  readonly body: readonly PyStatement[]
}

/** Values of names; only names that a file assigns unconditionally. */
export type PyScope = Pick<ReadonlyMap<string, PyExpression>, 'get' | 'has'>

/** Names of a function, falling back to those of the enclosing scope. */
export const within = (outer: PyScope, own: PyScope): PyScope => ({
  get: (name) => (own.has(name) ? own.get(name) : outer.get(name)),
  has: (name) => own.has(name) || outer.has(name),
})

/** Names assigned exactly once at the top of a module; a name that is assigned twice could have either value. */
export function constantsOf(statements: readonly PyStatement[]): ReadonlyMap<string, PyExpression> {
  const found = new Map<string, PyExpression>()
  const twice = new Set<string>()
  for (const statement of statements) {
    if (statement.kind !== 'assign') continue
    if (found.has(statement.target)) twice.add(statement.target)
    found.set(statement.target, statement.value)
  }
  for (const name of twice) found.delete(name)
  return found
}

/** Value of a name, followed a few steps. */
export function resolved(value: PyExpression | undefined, scope: PyScope): PyExpression | undefined {
  let at = value
  for (let steps = 0; at?.kind === 'name' && scope.has(at.name) && steps < 5; steps++) at = scope.get(at.name)
  return at
}

/** Text that an expression evaluates to; undefined if only known at run time. */
export function textOf(value: PyExpression | undefined, scope: PyScope): string | undefined {
  const pattern = patternOf(value, scope)
  return pattern?.isWhole ? pattern.text : undefined
}

interface Pattern {
  readonly text: string
  readonly isWhole: boolean
}

// A few nested f-strings would otherwise fill the memory.
const MOST_PARTS = 2_000
const LONGEST = 200_000

/** Like `textOf`, with `{name}` for parts only known at run time. */
export function patternOf(value: PyExpression | undefined, scope: PyScope): Pattern | undefined {
  let [parts, length] = [0, 0]
  const read = (one: PyExpression | undefined, depth: number): Pattern | undefined => {
    const found = resolved(one, scope)
    if (found?.kind === 'text') {
      length += found.value.length
      return length > LONGEST ? undefined : { text: found.value, isWhole: true }
    }
    parts += found?.kind === 'joined' ? found.parts.length : 0
    if (found?.kind !== 'joined' || depth > 8 || parts > MOST_PARTS) return undefined
    const made = found.parts.map(
      (part) => read(part, depth + 1) ?? { text: `{${part.kind === 'name' ? part.name : '…'}}`, isWhole: false },
    )
    return { text: made.map((part) => part.text).join(''), isWhole: made.every(({ isWhole }) => isWhole) }
  }
  return read(value, 0)
}

export const itemsOf = (value: PyExpression | undefined): readonly PyExpression[] =>
  value === undefined ? [] : value.kind === 'list' ? value.items : [value]

/** The entries of a dictionary with known keys. */
export function entriesOf(value: PyExpression | undefined, scope: PyScope): ReadonlyMap<string, PyExpression> {
  const found = resolved(value, scope)
  if (found?.kind === 'call' && found.callee === 'dict') return new Map(Object.entries(found.named))
  return new Map(
    (found?.kind === 'dictionary' ? found.entries : []).flatMap(([key, inner]) => {
      const name = textOf(key, scope)
      return name === undefined ? [] : [[name, inner] as const]
    }),
  )
}

export const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Every call in an expression, including those inside arguments. */
export function callsIn(value: PyExpression | undefined): readonly PyCall[] {
  if (value === undefined) return []
  switch (value.kind) {
    case 'call':
      return [value, ...callsIn(value.on), ...[...value.given, ...Object.values(value.named)].flatMap(callsIn)]
    case 'joined':
      return value.parts.flatMap(callsIn)
    case 'list':
      return value.items.flatMap(callsIn)
    case 'dictionary':
      return value.entries.flatMap(([, inner]) => callsIn(inner))
    case 'chain':
      return value.operands.flatMap(callsIn)
    default:
      return []
  }
}

/** All statements, including those nested in functions and blocks. */
export function statementsIn(statements: readonly PyStatement[]): readonly PyStatement[] {
  return statements.flatMap((statement) => ['body' in statement ? statementsIn(statement.body) : [], statement].flat())
}
