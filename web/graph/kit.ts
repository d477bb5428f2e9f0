import type { GraphNode } from '../../src/core/graph/graph.ts'
import type { PageData } from '../../src/core/graph/page.ts'
import { matchesQuery } from './matches-query.ts'
import { type Relations, relate } from './relations.ts'

/** What all parts of the page share: the data, and what is chosen now. */
export interface Kit {
  readonly data: PageData
  readonly decisions: readonly GraphNode[]
  readonly relations: readonly Relations[]
  /** What the filters leave out: `type:pattern`, `status:superseded`, `confidence:low`. */
  readonly excluded: Set<string>
  query: string
  selected: number | undefined
  /** Whether filters and search leave a decision standing. */
  isShown(place: number): boolean
  placeOf(id: string): number
  placeOfNumber(num: number): number | undefined
  typeOf(place: number): string
  /** A type, status or confidence as people read it. */
  wordOf(value: string): string
  /** The classes that colour a decision. */
  look(place: number): string
  onChange(listener: () => void): void
  /** Call after a change of `query` or `excluded`. */
  changed(): void
  select(place: number | undefined): void
}

export function createKit(data: PageData): Kit {
  const { decisions } = data.graph
  const listeners: (() => void)[] = []
  const places = new Map(decisions.map((decision, place) => [decision.id, place]))
  // Of several decisions with one number the first stands for it, so it is set last.
  const numbers = new Map(decisions.map((decision, place): [number, number] => [decision.num, place]).reverse())
  // Asked thousands of times per drawing, so it is worked out once per change.
  let shown: readonly boolean[] = decisions.map(() => true)

  function isShown(place: number): boolean {
    const { status, confidence } = decisions[place]!
    const facts = ['type:' + kit.typeOf(place), 'status:' + status, 'confidence:' + confidence]
    return !facts.some((fact) => kit.excluded.has(fact)) && matchesQuery(decisions[place]!, kit.query)
  }

  const kit: Kit = {
    data,
    decisions,
    relations: relate(data, places),
    excluded: new Set(),
    query: '',
    selected: undefined,
    isShown: (place) => shown[place]!,
    placeOf: (id) => places.get(id)!,
    placeOfNumber: (num) => numbers.get(num),
    typeOf: (place) => decisions[place]!.decision_type ?? 'untyped',
    wordOf: (value) =>
      ({ api_design: 'API design', data_model: 'Data model' })[value] ?? value.charAt(0).toUpperCase() + value.slice(1),
    look: (place) => `t-${kit.typeOf(place)} s-${decisions[place]!.status} c-${decisions[place]!.confidence}`,
    onChange: (listener) => void listeners.push(listener),
    changed() {
      shown = decisions.map((_, place) => isShown(place))
      for (const listener of listeners) listener()
    },
    select(place) {
      kit.selected = place
      kit.changed()
    },
  }
  return kit
}
