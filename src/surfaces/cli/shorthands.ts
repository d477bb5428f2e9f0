/** A word that stands for a command with some of its input given. */
export interface Shorthand {
  readonly command: string
  readonly operation: string
  readonly summary: string
  /** What it takes first, and the field that gets it. */
  readonly argument: string
  readonly help: string
  readonly field: string
  /** Given by the word itself, so that nobody has to. */
  readonly gives: Readonly<Record<string, string>>
  readonly example: string
}

export const SHORTHANDS: readonly Shorthand[] = [
  {
    command: 'supersede',
    operation: 'propose_decision',
    summary: 'Replace a decision by a new one.',
    argument: 'decision',
    help: 'The number of the decision that no longer holds, e.g. 12.',
    field: 'affected_decision_id',
    gives: { operation: 'supersede', affected_decision_id: '' },
    example:
      'ken supersede 12 "Cache in the process" --rationale "One service less to run; a restart costs a warm-up."',
  },
]

/** The operation that a word means, by what follows it, and its words; undefined where the word means only one thing. */
export function meaningOf(
  word: string,
  rest: readonly string[],
): { readonly operation: string; readonly rest: readonly string[] } | undefined {
  if (word === 'show') return shown(rest)
  if (word === 'note' && rest.some((one) => JOTTED.test(one))) return { operation: 'jot', rest }
  const shorthand = SHORTHANDS.find(({ command }) => command === word)
  return shorthand && { operation: shorthand.operation, rest: spelledOut(shorthand, rest) }
}

/** Flags that a note does not have: with them it is a decision, as `ken jot` takes them. */
const JOTTED = /^--(?:rationale|confidence)(?:=|$)/

// Six digits at most: an id of the memory is twelve hex digits, which may all be decimal.
const DECISION = /^(?:decisions?[-/])?D?0*(\d{1,6})(?:-[\w-]*(?:\.md)?)?$/i

/** A decision by its number, or else what a search found by its id or path. */
function shown(rest: readonly string[]): { operation: string; rest: readonly string[] } {
  const at = rest.findIndex((one) => !one.startsWith('-'))
  const number = at < 0 ? undefined : DECISION.exec(rest[at]!)?.[1]
  if (number !== undefined) return { operation: 'get_decision', rest: rest.with(at, number) }
  const isId = at >= 0 && /^#?[0-9a-f]{12}$|[/\\]|\.\w+$/i.test(rest[at]!)
  return { operation: isId ? 'memory_get' : 'get_decision', rest }
}

/** Takes every number at the start, so that what supersedes several is told so. */
function spelledOut({ field, gives }: Shorthand, rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((one) => !/^D?\d+(?:,D?\d+)*,?$/i.test(one))
  const named = (end < 0 ? rest : rest.slice(0, end)).join(',').replaceAll(/,+/g, ',').replace(/,$/, '')
  const given = { ...gives, [field]: named }
  const flags = Object.entries(given).flatMap(([name, value]) =>
    value === '' ? [] : [`--${name.replaceAll('_', '-')}`, value],
  )
  return [...flags, ...rest.slice(end < 0 ? rest.length : end)]
}
