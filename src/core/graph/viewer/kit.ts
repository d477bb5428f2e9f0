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
type Child = PageElement | string

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
  matchesQuery(place: number): boolean
  /** Whether filters and search leave a decision standing. */
  isShown(place: number): boolean
  placeOf(id: string): number
  placeOfNumber(num: number): number | undefined
  typeOf(place: number): string
  typeName(type: string): string
  /** The classes that colour a decision. */
  look(place: number): string
  onChange(listener: () => void): void
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

  function make(element: PageElement, attributes: Attributes, children: Child[]): PageElement {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
    element.append(...children)
    return element
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
    html: (tag, attributes, ...children) => make(document.createElement(tag), attributes, children),
    svg: (tag, attributes, ...children) => make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children),
    button(attributes, text, act) {
      const button = make(document.createElement('button'), { type: 'button', ...attributes }, [text])
      button.addEventListener('click', act)
      return button
    },
    matchesQuery: (place) => parts.matchesQuery(decisions[place]!, kit.query),
    isShown(place) {
      const { status, confidence } = decisions[place]!
      const facts = ['type:' + kit.typeOf(place), 'status:' + status, 'confidence:' + confidence]
      return !facts.some((fact) => kit.excluded.has(fact)) && kit.matchesQuery(place)
    },
    placeOf: (id) => places.get(id)!,
    placeOfNumber: (num) => numbers.get(num),
    typeOf: (place) => decisions[place]!.decision_type ?? 'untyped',
    typeName: (type) => ({ api_design: 'API design', data_model: 'Data model' })[type] ?? type.charAt(0).toUpperCase() + type.slice(1),
    look: (place) => `t-${kit.typeOf(place)} s-${decisions[place]!.status} c-${decisions[place]!.confidence}`,
    onChange: (listener) => void listeners.push(listener),
    changed: () => listeners.forEach((listener) => listener()),
    select(place) {
      kit.selected = place
      kit.changed()
    },
  }
  return kit
}
