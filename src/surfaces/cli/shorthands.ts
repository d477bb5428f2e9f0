import { decisionNumber } from '../../record/domain/decision/decision-id.ts'

/** A word for a command with some of its input preset. */
export interface Shorthand {
  readonly command: string
  readonly operation: string
  readonly summary: string
  /** The first argument; `field` is its input field. */
  readonly argument: string
  readonly help: string
  readonly field: string
  /** Input preset by the word. */
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

interface Meaning {
  readonly operation: string
  readonly rest: readonly string[]
  /** The missing input, with an example. */
  readonly lacks?: string
  /** Tried in order if the operation does not have the thing; each with its own arguments. */
  readonly otherwise?: readonly Attempt[]
}

export interface Attempt {
  readonly operation: string
  readonly rest: readonly string[]
}

/**
 * The operation of an ambiguous word, determined by the arguments after it, and its arguments; undefined if the word
 * has one meaning.
 */
export function meaningOf(word: string, rest: readonly string[]): Meaning | undefined {
  if (word === 'show') return shown(rest)
  if (word === 'note' && rest.some((one) => JOTTED.test(one))) return { operation: 'jot', rest }
  if (NOTE_WORDS.has(word) && rest.includes('--global'))
    return {
      operation: 'memory_write',
      rest: rest.flatMap((one) => (one === '--global' ? ['--scope', 'global'] : [one])),
    }
  if (word === 'test') return recorded(rest)
  if (word === 'projects' && rest[0] === 'delete')
    return { operation: 'remove_project', rest: ['--delete-record', ...rest.slice(1)] }
  const shorthand = SHORTHANDS.find(({ command }) => command === word)
  if (shorthand === undefined) return undefined
  const { operation, argument, example } = shorthand
  const given = spelledOut(shorthand, rest)
  return { operation, rest: given, ...(given.length === 0 && { lacks: `Say which ${argument}, e.g. \`${example}\`.` }) }
}

/** `ken test --record …`, and the variant `ken test record search "words"`. */
function recorded(rest: readonly string[]): Meaning | undefined {
  const at = rest.findIndex((one) => one === '--record' || one.startsWith('--record='))
  const given = rest[at]?.slice('--record='.length) ?? ''
  if (at >= 0)
    return { operation: 'test_record', rest: spoken(rest.toSpliced(at, 1, ...(given === '' ? [] : [given]))) }
  const isSpoken = rest[0] === 'record' && Object.hasOwn(RECORDED, rest[1] ?? '')
  return isSpoken ? { operation: 'test_record', rest: spoken(rest.slice(1)) } : undefined
}

/** Flags for each noun; without a name, the last item is recorded. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  chat: [],
  memory: ['--memory'],
  feedback: ['--feedback'],
  downvote: ['--feedback'],
  search: ['--search'],
  check: ['--check'],
}

function spoken(words: readonly string[]): readonly string[] {
  const [noun = '', ...more] = words
  if (!Object.hasOwn(RECORDED, noun)) return words
  const isNamed = more[0] !== undefined && !more[0].startsWith('-')
  return [...RECORDED[noun]!, ...(isNamed || noun === 'search' || noun === 'check' ? [] : ['last']), ...more]
}

const NOTE_WORDS: ReadonlySet<string> = new Set(['note', 'write', 'memory-write'])

/** Flags that only a decision has: with them the text is a decision, as in `ken jot`. */
const JOTTED = /^--(?:rationale|confidence)(?:=|$)/

/**
 * A decision by its number; otherwise a session, a search hit or a file by its id or path; otherwise a thing by its
 * name.
 */
function shown(rest: readonly string[]): Meaning {
  const at = rest.findIndex((one) => !one.startsWith('-'))
  const named = rest[at] ?? ''
  const others = (names: readonly string[]): readonly Attempt[] => names.map((operation) => ({ operation, rest }))
  if (UUID.test(named)) return { operation: 'session_show', rest }
  if (/^#?(?:team:)?[0-9a-f]{12}(?::\d+(?:-\d+)?)?$|^(?!decisions\/).*(?:[/\\]|\.\w+$)/i.test(named))
    return { operation: 'memory_get', rest, otherwise: others(['get_raw_file', 'read_file']) }
  const stem = named.replace(/^decisions\//i, '')
  const number = /^(?:decision-|D)?\d+(?:-.*|\.md)?$/i.test(stem) ? decisionNumber(stem) : undefined
  if (number !== undefined) return { operation: 'get_decision', rest: rest.with(at, String(number)) }
  const isName = at >= 0 && !/^d_[a-z0-9]{7}$/.test(named)
  return {
    operation: 'get_decision',
    rest,
    ...(isName && { otherwise: others(['session_show', 'story_show', 'chat_show', 'table_facts']) }),
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Takes every number at the start, so that an attempt to supersede several is reported; empty if there is no number.
 */
function spelledOut({ field, gives }: Shorthand, rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((one) => !/^(?:D?\d+|d_[a-z0-9]{7})(?:,(?:D?\d+|d_[a-z0-9]{7}))*,?$/i.test(one))
  const named = (end < 0 ? rest : rest.slice(0, end)).join(',').replaceAll(/,+/g, ',').replace(/,$/, '')
  if (named === '') return []
  const flags = Object.entries({ ...gives, [field]: named }).flatMap(([name, value]) => [
    `--${name.replaceAll('_', '-')}`,
    value,
  ])
  return [...flags, ...rest.slice(end < 0 ? rest.length : end)]
}
