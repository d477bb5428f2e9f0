import { DECISION_TYPES, type DecisionType } from '../decision/decision.ts'
import { folderGroups } from './group-by-folder.ts'
import { topicGroups, type TopicSource } from './group-by-topic.ts'

export const GROUP_KINDS = ['topic', 'type', 'folder', 'tag', 'date', 'status'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

/** One way to group the decisions: every decision is in exactly one group. */
export interface Grouping {
  readonly by: GroupKind
  readonly names: readonly string[]
  /** For every decision, in graph order, the index of its group in `names`. */
  readonly of: readonly number[]
  /** The group of decisions without a value; null if there is none. */
  readonly rest: number | null
}

export interface Groupable extends TopicSource {
  readonly date: string
  readonly status: string
  readonly decision_type: DecisionType | null
  readonly files_affected: readonly string[]
  readonly tags: readonly string[]
}

/** More groups could not be distinguished on a screen. */
const MOST_GROUPS = 24

/**
 * Every grouping that splits these decisions, most informative first: recorded properties (type, folder, tag) if most
 * decisions have them, otherwise topics from their texts.
 */
export function groupingsOf(decisions: readonly Groupable[]): Grouping[] {
  const topic = topicGroups(decisions, MOST_GROUPS)
  const authored = [
    named('type', decisions, typeName, [...DECISION_TYPES.map((type) => TYPE_NAMES[type]), NO_TYPE]),
    folderGroups(decisions, MOST_GROUPS),
    named('tag', decisions, tagNamer(decisions)),
  ]
  const others = [
    dateGroups(decisions, MOST_GROUPS),
    named('status', decisions, ({ status }) => STATUS_NAMES[status] ?? status, Object.values(STATUS_NAMES)),
  ]
  const found = [topic, ...authored, ...others].filter(({ by, names }) => names.length > 1 || by === 'topic')
  const [best] = authored.filter(tellsEnough).sort((a, b) => worth(b) - worth(a))
  const first = best ?? topic
  return [first, ...found.filter((grouping) => grouping !== first)]
}

const NO_TYPE = 'No type'
const NO_TAG = 'No tag'
const TYPE_NAMES: Readonly<Record<DecisionType, string>> = {
  architecture: 'Architecture',
  api_design: 'API design',
  infrastructure: 'Infrastructure',
  pattern: 'Pattern',
  refactor: 'Refactor',
  data_model: 'Data model',
}
const STATUS_NAMES: Readonly<Record<string, string>> = { active: 'Active', superseded: 'Superseded' }

const typeName = ({ decision_type }: Groupable): string =>
  decision_type === null ? NO_TYPE : TYPE_NAMES[decision_type]

/** A decision with several tags is grouped by its most common one. */
function tagNamer(decisions: readonly Groupable[]): (decision: Groupable) => string {
  const counts = new Map<string, number>()
  for (const tag of decisions.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const common = new Set(
    [...counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, MOST_GROUPS - 1)
      .map(([tag]) => tag),
  )
  return ({ tags }) =>
    [...tags].filter((tag) => common.has(tag)).sort((a, b) => counts.get(b)! - counts.get(a)!)[0] ?? NO_TAG
}

/** Groups in the order given, then by size; the rest last. */
function named(
  by: GroupKind,
  decisions: readonly Groupable[],
  nameOf: (decision: Groupable) => string,
  order: readonly string[] = [],
): Grouping {
  const mine = decisions.map(nameOf)
  const sizes = [...Map.groupBy(mine, (name) => name)].map(([name, { length }]) => ({ name, length }))
  const last = (name: string): number => (name === NO_TAG || name === NO_TYPE ? 1 : 0)
  const names = sizes
    .sort((a, b) => last(a.name) - last(b.name) || order.indexOf(a.name) - order.indexOf(b.name) || b.length - a.length)
    .map(({ name }) => name)
  const places = new Map(names.map((name, place) => [name, place]))
  return {
    by,
    names,
    of: mine.map((name) => places.get(name)!),
    rest: places.get(NO_TYPE) ?? places.get(NO_TAG) ?? null,
  }
}

/** A value that few decisions have, or nearly all share, makes no useful picture. */
const tellsEnough = (grouping: Grouping): boolean => covered(grouping) >= 0.6 && spread(grouping) >= 1

const worth = (grouping: Grouping): number => covered(grouping) * spread(grouping)

/** The share of decisions with a value. */
const covered = ({ of, rest }: Grouping): number =>
  of.length === 0 ? 0 : of.filter((group) => group !== rest).length / of.length

/** Bits of information per decision with a value. */
function spread({ of, rest }: Grouping): number {
  const told = of.filter((group) => group !== rest)
  let bits = 0
  for (const { length } of Map.groupBy(told, (group) => group).values())
    bits -= (length / told.length) * Math.log2(length / told.length)
  return bits
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Years if there are several; months or quarters for a short record, decades or centuries for a long one. */
function dateGroups(decisions: readonly { readonly date: string }[], most: number): Grouping {
  const years = new Set(decisions.map(({ date }) => date.slice(0, 4))).size
  const fits = ([nameOf]: (typeof STEPS)[number]): boolean =>
    new Set(decisions.map(({ date }) => nameOf(date))).size <= most
  const steps = years > 2 ? STEPS.slice(2) : STEPS
  const [nameOf] = steps.find(fits) ?? STEPS.at(-1)!
  const mine = decisions.map(({ date }) => nameOf(date))
  const first = new Map<string, string>()
  decisions.forEach(({ date }, i) => {
    const name = mine[i]!
    if (date < (first.get(name) ?? '~')) first.set(name, date)
  })
  const names = [...first.keys()].sort((a, b) => (first.get(a)! < first.get(b)! ? -1 : 1))
  const places = new Map(names.map((name, place) => [name, place]))
  return { by: 'date', names, of: mine.map((name) => places.get(name)!), rest: null }
}

const STEPS: readonly (readonly [(date: string) => string])[] = [
  [(date) => `${MONTHS[Number(date.slice(5, 7)) - 1] ?? '?'} ${date.slice(0, 4)}`],
  [(date) => `${date.slice(0, 4)}, quarter ${Math.ceil(Number(date.slice(5, 7)) / 3)}`],
  [(date) => date.slice(0, 4)],
  [(date) => `${date.slice(0, 3)}0s`],
  [(date) => `${date.slice(0, 2)}00s`],
]
