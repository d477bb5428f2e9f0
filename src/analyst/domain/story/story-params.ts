import type { BoundValue } from '../../../context/domain/sql/bind-names.ts'
import { availableNames, unknownName } from '../../../kernel/domain/close-match.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { ellipsis } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { readDay, readPeriod, sayPeriod } from './period.ts'
import type { StoryResult } from './story.ts'

export const PARAM_KINDS = ['text', 'number', 'date', 'period'] as const

/** A value that the reader of a story can change; its statements use it as `:name`. */
export interface StoryParam {
  readonly line: number
  /** Lower case. A period has `:name_start`, `:name_end` and `:name_before` instead. */
  readonly name: string
  readonly kind: (typeof PARAM_KINDS)[number]
  readonly title: string
  /** The value until a reader chooses another. */
  readonly initial: string
  /** The only values, if they are listed. */
  readonly values?: readonly string[]
  /** A column with the values, in a result of the story. */
  readonly from?: { readonly query: string; readonly column: string }
}

/** The value that the rows of a story were made with. */
export interface MadeWith {
  readonly name: string
  /** As chosen, e.g. `last month`. */
  readonly value: string
  /** With its days if the value is relative. */
  readonly says: string
}

const LONGEST_VALUE = 200
const MOST_CHOICES = 500

/** Reads the attributes of `<param …/>`; a text is the fault. */
export function readParam(
  line: number,
  attributes: ReadonlyMap<string, string>,
): StoryParam | { readonly fault: string } {
  const value = (name: string): string | undefined => attributes.get(name)?.trim()
  const name = (value('name') ?? '').toLowerCase()
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name))
    return { fault: '<param> needs a name of letters, digits and underscores: name="country"' }
  const kind = PARAM_KINDS.find((one) => one === (value('kind') ?? value('type') ?? 'text').toLowerCase())
  if (kind === undefined) return { fault: `the kind of ${name} is one of ${PARAM_KINDS.join(', ')}` }
  const initial = value('default')
  if (initial === undefined) return { fault: `<param name="${name}"> needs a default` }
  const values = value('values')
    ?.split(',')
    .map((one) => one.trim())
    .filter((one, at, all) => all.indexOf(one) === at)
    .slice(0, MOST_CHOICES)
  const [, query, column] = /^(q_[0-9a-z]{1,40})\.(.{1,200})$/i.exec(value('from') ?? '') ?? []
  if (attributes.has('from') && query === undefined)
    return {
      fault: `from="${ellipsis(value('from') ?? '', 40)}" is not a column of a query, as in q_countries.country`,
    }
  const title = (value('title') ?? '').slice(0, 100) || name.replaceAll('_', ' ')
  const param: StoryParam = {
    line,
    name,
    kind,
    title,
    initial,
    ...(values !== undefined && { values }),
    ...(query !== undefined && { from: { query, column: column! } }),
  }
  // Without the day of the reader, any day shows whether the default can be read.
  const read = readValue(param, initial, '2026-01-01')
  return 'fault' in read ? { fault: `the default of ${name}: ${read.fault}` } : param
}

/** Names that the statements of a story may use. */
export const boundNamesOf = ({ name, kind }: Pick<StoryParam, 'name' | 'kind'>): readonly string[] =>
  kind === 'period' ? [`${name}_start`, `${name}_end`, `${name}_before`] : [name]

/** Values that a reader can choose from; undefined if any value is allowed. */
export function choicesOf(
  { values, from }: Pick<StoryParam, 'values' | 'from'>,
  results: ReadonlyMap<string, StoryResult>,
): readonly string[] | undefined {
  if (values !== undefined) return values
  const result = from && results.get(from.query)
  const at = result?.columns.findIndex(({ name }) => name === from!.column) ?? -1
  if (result === undefined || at < 0 || result.cut) return undefined
  const found = new Set(result.rows.flatMap((row) => (row[at] == null ? [] : [String(row[at])])))
  return found.size > 0 && found.size <= MOST_CHOICES ? [...found] : undefined
}

export interface ParamValues {
  /** Values that a person chose now. Names and values are checked. */
  readonly chosen: Readonly<Record<string, string>>
  /** Values of the last refresh. */
  readonly before: readonly MadeWith[]
  readonly results: ReadonlyMap<string, StoryResult>
  readonly today: string
}

/** What the driver binds to the names of the statements, and what the rows are made with. Throws on a wrong value. */
export function bindParams(
  params: readonly StoryParam[],
  { chosen, before, results, today }: ParamValues,
): { readonly values: ReadonlyMap<string, BoundValue>; readonly made: readonly MadeWith[] } {
  for (const name of Object.keys(chosen))
    if (!params.some((one) => one.name === name.toLowerCase()))
      throw unknownName(
        'parameter',
        name,
        params.map((one) => one.name),
      )
  const given = new Map(Object.entries(chosen).map(([name, value]) => [name.toLowerCase(), value]))
  const values = new Map<string, BoundValue>()
  const made = params.map((param): MadeWith => {
    const now = given.get(param.name)
    const known = before.find(({ name }) => name === param.name)?.value
    // A value from before may no longer fit the story, which has changed since.
    const kept = known === undefined || 'fault' in readValue(param, known, today) ? param.initial : known
    const value = (now ?? kept).trim()
    const read = readValue(param, value, today)
    if ('fault' in read) throw wrongValue(param, read.fault)
    if (now !== undefined) refuseUnlisted(param, value, results)
    for (const [name, bound] of read.bound) values.set(name, bound)
    return { name: param.name, value, says: read.says }
  })
  return { values, made }
}

const wrongValue = ({ name, kind }: StoryParam, fault: string): AppError =>
  new AppError('invalid_input', `${name}: ${fault}.`, { hint: HINTS[kind] })

const HINTS: Readonly<Record<StoryParam['kind'], string>> = {
  text: `Use one line of at most ${LONGEST_VALUE} characters.`,
  number: 'Use digits, e.g. 12 or -0.5.',
  date: 'Use a date as 2026-05-31, or today or yesterday.',
  period: 'Use words or dates, e.g. last month, last 7 days, 2026-05, 2026-Q2 or 2026-05-01..2026-05-31.',
}

function refuseUnlisted(param: StoryParam, value: string, results: ReadonlyMap<string, StoryResult>): void {
  const choices = choicesOf(param, results)
  if (choices === undefined || choices.includes(value) || value === param.initial) return
  throw new AppError('invalid_input', `${param.name} has no value ${shown(value)}.`, {
    hint: availableNames(value, choices),
  })
}

type ReadValue =
  | { readonly bound: readonly (readonly [string, BoundValue])[]; readonly says: string }
  | { readonly fault: string }

function readValue({ name, kind }: StoryParam, value: string, today: string): ReadValue {
  // A line for people must be one, and some engines end a text at NUL.
  if (value.length > LONGEST_VALUE || /\p{Cc}/u.test(value)) return { fault: `${shown(value)} is no value` }
  switch (kind) {
    case 'text':
      return { bound: [[name, value]], says: value }
    case 'number':
      return /^[+-]?(\d{1,15}(\.\d{1,15})?|\.\d{1,15})$/.test(value)
        ? { bound: [[name, Number(value)]], says: value }
        : { fault: `${shown(value)} is not a number` }
    case 'date': {
      const day = readDay(value, today)
      if (day === undefined) return { fault: `${shown(value)} is not a date` }
      return { bound: [[name, day]], says: day === value ? value : `${value} (${day})` }
    }
    case 'period': {
      const period = readPeriod(value, today)
      if (period === undefined) return { fault: `${shown(value)} is not a period` }
      const { from, to, before } = period
      const names = boundNamesOf({ name, kind })
      const bound = [from, to, before].map((day, at) => [names[at]!, day] as const)
      return { bound, says: `${value} (${sayPeriod(period)})` }
    }
  }
}

const shown = (value: string): string => `"${ellipsis(visibleLine(value), 60)}"`

/** One line for readers; empty without parameters. */
export const sayMadeWith = (made: readonly MadeWith[], params: readonly StoryParam[]): string => {
  const parts = made.flatMap(({ name, says }) => {
    const param = params.find((one) => one.name === name)
    return param === undefined ? [] : [`${param.title}: ${says === '' ? 'all' : says}`]
  })
  return parts.length === 0 ? '' : `Made with ${visibleLine(parts.join('; '))}.`
}
