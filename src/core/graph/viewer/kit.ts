import type { DecisionGraph, GraphNode } from '../graph.ts'
import type { Layout } from '../layout.ts'
import type { PageDocument, PageElement, PageWindow } from './dom.ts'
import type { Parts } from './parts.ts'
import type { Relations } from './relations.ts'

/** What the page carries as JSON. */
export interface PageData {
  readonly graph: DecisionGraph
  readonly layout: Layout
}

type Attributes = Readonly<Record<string, string | number>>
export type Child = PageElement | string

/** What all parts of the page share: the data, ways to make elements, and what is chosen now. */
export interface Kit {
  readonly window: PageWindow
  readonly document: PageDocument
  readonly parts: Parts
  readonly data: PageData
  readonly decisions: readonly GraphNode[]
  readonly relations: readonly Relations[]
  /** What the filters leave out: `type:pattern`, `status:superseded`, `confidence:low`. */
  readonly excluded: Set<string>
  query: string
  selected: number | undefined
  find(selector: string): PageElement
  html(tag: string, attributes: Attributes, ...children: Child[]): PageElement
  svg(tag: string, attributes: Attributes, ...children: Child[]): PageElement
  button(attributes: Attributes, text: string, act: () => void): PageElement
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

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
export function createKit(window: PageWindow, data: PageData, parts: Parts): Kit {
  const { document } = window
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
    return !facts.some((fact) => kit.excluded.has(fact)) && parts.matchesQuery(decisions[place]!, kit.query)
  }

  const kit: Kit = {
    window,
    document,
    parts,
    data,
    decisions,
    relations: parts.relate(data, places),
    excluded: new Set(),
    query: '',
    selected: undefined,
    find: (selector) => document.querySelector(selector)!,
    html: (tag, attributes, ...children) => parts.fill(document.createElement(tag), attributes, children),
    svg: (tag, attributes, ...children) =>
      parts.fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children),
    button(attributes, text, act) {
      const button = kit.html('button', { type: 'button', ...attributes }, text)
      button.addEventListener('click', act)
      return button
    },
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

export function fill(element: PageElement, attributes: Attributes, children: readonly Child[]): PageElement {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}
