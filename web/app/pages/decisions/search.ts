import { DECISION_TRUSTS, type DecisionTrust } from '../../../../src/kernel/domain/trust/trust.ts'
import { decisionReferred } from '../../../../src/record/domain/decision/decision-id.ts'
import {
  CONFIDENCES,
  DECISION_TYPES,
  type Confidence,
  type DecisionType,
} from '../../../../src/record/domain/decision/decision.ts'

export const VIEWS = ['list', 'timeline', 'graph', 'questions'] as const
export type DecisionView = (typeof VIEWS)[number]
export type ShownStatus = 'active' | 'superseded' | 'all'

/** State in the URL of this area: the view, the typed text, the filters, the selection and the as-of date. */
export interface DecisionSearch {
  readonly view?: DecisionView
  readonly q?: string
  readonly status?: Exclude<ShownStatus, 'active'>
  readonly type?: DecisionType
  readonly confidence?: Confidence
  readonly trust?: DecisionTrust
  readonly file?: string
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  /** Selection in the graph: `lineage/topic/D012`. */
  readonly graph?: string
  /** The open question in the questions view; `resolved` shows the resolved questions. */
  readonly question?: string
  readonly resolved?: true
  /** Selected decisions, to compare or supersede. */
  readonly pick?: readonly number[]
  /** Column that sorts the list; default: the number, newest first. */
  readonly sort?: SortColumn
  readonly reverse?: true
}

export const SORTS = ['date', 'title', 'type', 'confidence', 'files'] as const
export type SortColumn = (typeof SORTS)[number]

/** Parses the valid parts of a URL; the rest is left out. */
export function readSearch(raw: Record<string, unknown>): DecisionSearch {
  const pick = (Array.isArray(raw['pick']) ? raw['pick'] : [])
    .filter((one) => Number.isSafeInteger(one))
    .slice(0, MOST_PICKED)
  return given({
    view: oneOf(VIEWS.slice(1), raw['view']),
    q: text(raw['q'], 10_000),
    status: oneOf(['superseded', 'all'] as const, raw['status']),
    type: oneOf(DECISION_TYPES, raw['type']),
    confidence: oneOf(CONFIDENCES, raw['confidence']),
    trust: oneOf(DECISION_TRUSTS, raw['trust']),
    file: text(raw['file'], 500),
    since: day(raw['since']),
    until: day(raw['until']),
    asOf: text(raw['asOf'], 200),
    graph: text(raw['graph'], 60),
    question: questionId(raw['question']),
    resolved: raw['resolved'] === true ? true : undefined,
    pick: pick.length === 0 ? undefined : pick,
    sort: oneOf(SORTS, raw['sort']),
    reverse: raw['reverse'] === true ? true : undefined,
  })
}

/** The two decisions to compare, and the question about them. */
export const readCompare = (
  raw: Record<string, unknown>,
): { readonly a?: number; readonly b?: number; readonly answers?: string } =>
  given({ a: decisionNumberIn(raw['a']), b: decisionNumberIn(raw['b']), answers: questionId(raw['answers']) })

/** The decisions that a question is about, if it names exactly two. */
export function comparedPair(body: string): readonly [number, number] | undefined {
  const [a, b, third] = new Set(body.match(/\bD\d{1,9}\b/g)?.map((one) => Number(one.slice(1))))
  return a === undefined || b === undefined || third !== undefined ? undefined : [a, b]
}

/** Initial values of a new decision: the decisions it supersedes, and the question it answers. */
export function readForm(raw: Record<string, unknown>): {
  readonly supersedes?: readonly number[]
  readonly answers?: string
} {
  const replaced = (Array.isArray(raw['supersedes']) ? raw['supersedes'] : [raw['supersedes']])
    .map(decisionNumberIn)
    .filter((one) => one !== undefined)
  return given({
    supersedes: replaced.length === 0 ? undefined : replaced.slice(0, 20),
    answers: questionId(raw['answers']),
  })
}

/** The filters as input of the operations. */
export const filterInput = ({ status, type, confidence, trust, file, since, until, asOf }: DecisionSearch) =>
  given({
    include_superseded: status === 'all' ? true : undefined,
    status: status === 'superseded' ? status : undefined,
    type,
    confidence,
    trusted: trust,
    file,
    since,
    until,
    as_of: asOf,
  })

export const FILTERS = ['status', 'type', 'confidence', 'trust', 'file', 'since', 'until'] as const

export const isFiltered = (search: DecisionSearch): boolean => FILTERS.some((name) => search[name] !== undefined)

/** A new decision supersedes at most twenty. */
const MOST_PICKED = 20

/** Toggles the selection of a decision; above the limit, the first is dropped. */
export const picked = (pick: readonly number[], number: number): readonly number[] =>
  pick.includes(number) ? pick.filter((one) => one !== number) : [...pick, number].slice(-MOST_PICKED)

/** The URL's state without some fields. */
export const without = <K extends keyof DecisionSearch>(
  search: DecisionSearch,
  ...names: K[]
): Omit<DecisionSearch, K> =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name as K))) as Omit<DecisionSearch, K>

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>

const oneOf = <const T extends readonly string[]>(values: T, value: unknown): T[number] | undefined =>
  values.find((one) => one === value)

/** Text of a parameter, including a number: `?q=12` is parsed as one. */
function text(value: unknown, longest: number): string | undefined {
  const said = typeof value === 'number' ? String(value) : value
  return typeof said === 'string' && said.trim() !== '' ? said.slice(0, longest) : undefined
}

/** `12`, `D12` or `D012`. */
const decisionNumberIn = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? decisionReferred(String(value)) : undefined

const questionId = (value: unknown): string | undefined => {
  const said = text(value, 40)
  return said !== undefined && /^Q\d+$|^\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC$/.test(said) ? said : undefined
}

const day = (value: unknown): string | undefined => {
  const said = text(value, 10)
  return said !== undefined && /^\d{4}(-\d{2}(-\d{2})?)?$/.test(said) ? said : undefined
}
