import type { DecisionGraph, GraphNode } from '../../src/record/domain/graph/graph.ts'
import type { Grouping, GroupKind } from '../../src/record/domain/graph/grouping.ts'
import { fullText, searchWords, type Hit } from './full-text.ts'
import { relate, type Link, type Relations } from './relations.ts'

export const VIEWS = { graph: 'Graph', lineage: 'Lineage', timeline: 'Timeline', browse: 'Browse' } as const
export type ViewName = keyof typeof VIEWS

/** Shared by all parts of a mounted graph: the data, and the current selection. */
export interface Kit {
  readonly data: DecisionGraph
  readonly decisions: readonly GraphNode[]
  readonly relations: readonly Relations[]
  readonly supersessions: readonly Link[]
  readonly citations: readonly Link[]
  /** Values hidden by the filters: `type:pattern`, `status:superseded`, `confidence:low`. */
  readonly excluded: Set<string>
  /** Places by importance: the most linked first, newest first among equals. */
  readonly ranked: readonly number[]
  view: ViewName
  by: GroupKind
  query: string
  selected: number | undefined
  /** The decision under the pointer or with the keyboard focus. */
  hovered: number | undefined
  /** Search hits, best first; undefined without a query. */
  found(): readonly Hit[] | undefined
  words(): readonly string[]
  /** Whether a decision passes the filters and the search. */
  isShown(place: number): boolean
  shownCount(): number
  grouping(): Grouping
  /** The grouping for timeline lanes; by date only if there is no other grouping. */
  lanes(): Grouping
  placeOf(id: string): number
  placeOfNumber(num: number): number | undefined
  typeOf(place: number): string
  onChange(listener: () => void): void
  /** Must be called after a change of anything above. */
  changed(): void
  select(place: number | undefined): void
  /** An element id that is unique among the graphs on the page. */
  id(name: string): string
}

export function createKit(data: DecisionGraph, prefix: string): Kit {
  const { decisions } = data
  const listeners: (() => void)[] = []
  const places = new Map(decisions.map((decision, place) => [decision.id, place]))
  // If several decisions have one number, the first is used, so it is set last.
  const numbers = new Map(decisions.map((decision, place): [number, number] => [decision.num, place]).reverse())
  const related = relate(data, places)
  const search = fullText(decisions)
  // Computed once per change, because it is read thousands of times per drawing.
  let shown: readonly boolean[] = decisions.map(() => true)
  let found: readonly Hit[] | undefined
  let searched = ''

  function passesFilters(place: number): boolean {
    const { status, confidence } = decisions[place]!
    return !['type:' + kit.typeOf(place), 'status:' + status, 'confidence:' + confidence].some((fact) =>
      kit.excluded.has(fact),
    )
  }

  const kit: Kit = {
    data,
    decisions,
    ...related,
    ranked: byImportance(decisions, related.relations),
    excluded: new Set(),
    view: 'graph',
    by: data.groupings[0]!.by,
    query: '',
    selected: undefined,
    hovered: undefined,
    found: () => found,
    words: () => searchWords(kit.query),
    isShown: (place) => shown[place]!,
    shownCount: () => shown.filter(Boolean).length,
    grouping: () => data.groupings.find(({ by }) => by === kit.by) ?? data.groupings[0]!,
    lanes: () =>
      kit.by === 'date' ? (data.groupings.find(({ by }) => by !== 'date') ?? data.groupings[0]!) : kit.grouping(),
    placeOf: (id) => places.get(id)!,
    placeOfNumber: (num) => numbers.get(num),
    typeOf: (place) => decisions[place]!.decision_type ?? 'untyped',
    onChange: (listener) => void listeners.push(listener),
    changed() {
      if (kit.query !== searched) found = kit.query.trim() === '' ? undefined : search(kit.query)
      searched = kit.query
      const matching = found && new Set(found.map(({ place }) => place))
      shown = decisions.map((_, place) => passesFilters(place) && (matching?.has(place) ?? true))
      for (const listener of listeners) listener()
    },
    select(place) {
      kit.selected = place
      kit.changed()
    },
    id: (name) => `${prefix}-${name}`,
  }
  return kit
}

function byImportance(decisions: readonly GraphNode[], relations: readonly Relations[]): number[] {
  const weights = relations.map(
    (r, place) =>
      r.replaces.length +
      r.replacedBy.length +
      r.cites.length +
      r.citedBy.length +
      r.questions.length +
      (decisions[place]!.status === 'active' ? 0.5 : 0),
  )
  return [...decisions.keys()].sort(
    (a, b) =>
      weights[b]! - weights[a]! ||
      (decisions[a]!.date < decisions[b]!.date ? 1 : decisions[a]!.date > decisions[b]!.date ? -1 : b - a),
  )
}
