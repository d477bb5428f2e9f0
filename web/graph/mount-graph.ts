import type { DecisionGraph } from '../../src/record/domain/graph/graph.ts'
import type { GroupKind } from '../../src/record/domain/graph/grouping.ts'
import { createBrowseView } from './browse-view.ts'
import { button, html } from './elements.ts'
import { createFilters } from './filters.ts'
import { createGraphView } from './graph-view.ts'
import { createGroupSwitch } from './group-switch.ts'
import { createInsights } from './insights.ts'
import { createKit, VIEWS, type Kit, type ViewName } from './kit.ts'
import { createLineageView } from './lineage-view.ts'
import { createPanel } from './panel.ts'
import { createSearchField } from './search-field.ts'
import { createThemeSwitch, type Theme } from './theme.ts'
import { createTimelineView } from './timeline-view.ts'
import { createTip } from './tip.ts'
import type { View, Zoomable } from './view.ts'

/** A reader's selection; enough to restore it. */
export interface GraphState {
  readonly view: ViewName
  readonly by: GroupKind
  /** The open decision, as `D012`. */
  readonly decision: string | undefined
  readonly query: string
}

export interface GraphOptions {
  readonly state?: Partial<GraphState>
  /** Called whenever the selection changes, e.g. to keep it in the URL. */
  onState?(state: GraphState): void
  readonly theme?: Theme
  onTheme?(theme: Theme): void
  /**
   * Whether the graph is part of a page with a heading, search and theme of its own: the graph then shows none of
   * these, and its keys only work while the focus is in it.
   */
  readonly embedded?: boolean
  /** Opens a decision elsewhere; without it a decision opens only in the panel. */
  onOpen?(number: number): void
  /** Prefix of element ids; required if two graphs are on one page. */
  readonly id?: string
}

export interface MountedGraph {
  /** Replaces the data; the selection is kept if it still exists. */
  update(data: DecisionGraph): void
  /** Changes the selection as if the reader had done so. */
  show(state: Partial<GraphState>): void
  /** Sets the theme, light or dark, to match the page around it. */
  wear(theme: Theme): void
  /** Removes everything: elements, listeners, timers. */
  destroy(): void
}

/**
 * Draws a record into an element, which determines the drawing's size. `data` is the output of `ken graph --format
 * json`. The graph needs `style.css`, whose rules are all below `.ken-graph`, and changes nothing outside the element.
 */
export function mountGraph(element: HTMLElement, data: DecisionGraph, options: GraphOptions = {}): MountedGraph {
  let mounted = build(element, data, options, options.state ?? {})
  return {
    update(next) {
      const { state, theme } = mounted
      mounted.destroy()
      mounted = build(element, next, { ...options, theme: theme() }, state())
    },
    show: (state) => mounted.show(state),
    wear: (theme) => mounted.wear(theme),
    destroy: () => mounted.destroy(),
  }
}

interface Built {
  state(): GraphState
  theme(): Theme
  show(state: Partial<GraphState>): void
  wear(theme: Theme): void
  destroy(): void
}

function build(element: HTMLElement, data: DecisionGraph, options: GraphOptions, first: Partial<GraphState>): Built {
  const kit = createKit(data, options.id ?? 'ken-graph')
  const ending = new AbortController()
  const root = html('div', { class: 'ken-graph' })
  const stage = html(options.embedded ? 'div' : 'main', { class: 'stage' })
  const tip = createTip(kit, stage)
  const search = createSearchField(kit)
  let theme: Theme = options.theme ?? 'system'
  const themeSwitch = createThemeSwitch(root, ending.signal, (next) => {
    theme = next
    options.onTheme?.(next)
    for (const view of views.values()) view.update()
  })
  const views = new Map<ViewName, View>()
  const { tabs, hosts } = createTabs(kit)
  const zoom = createZoom(() => current().camera)
  let seen: { selected: number | undefined; view: ViewName } | undefined

  function current(): View {
    const known = views.get(kit.view)
    if (known !== undefined) return known
    const made = MAKERS[kit.view](kit, { host: hosts[kit.view], root, tip })
    views.set(kit.view, made)
    return made
  }

  /**
   * Updates the view. Scrolls to the selected decision only when the selection or the view changes, not while the
   * reader types.
   */
  function refresh(): void {
    for (const name of VIEW_NAMES) hosts[name].hidden = name !== kit.view
    const isOther = seen?.selected !== kit.selected || seen?.view !== kit.view
    if (seen?.view !== kit.view) tip.hide()
    seen = { selected: kit.selected, view: kit.view }
    zoom.hidden = current().camera === undefined
    if (isOther) current().show()
    else current().update()
    options.onState?.(stateOf(kit))
  }

  root.append(
    createHeader(kit, tabs, options.embedded ? undefined : { search: search.element, theme: themeSwitch.element }),
    html('div', { class: 'bar' }, createGroupSwitch(kit), ...createFilters(kit), createLegend(), zoom),
    stage,
    createFooter(kit),
  )
  stage.append(
    ...(kit.decisions.length === 0 ? [html('p', { class: 'empty' }, 'No decisions yet.')] : []),
    ...Object.values(hosts),
    createPanel(kit, root, options.onOpen),
    ...tip.elements,
  )
  element.append(root)
  themeSwitch.set(theme)
  kit.onChange(refresh)
  const keys = options.embedded ? root : root.ownerDocument
  keys.addEventListener(
    'keydown',
    (event) => press(event as KeyboardEvent, kit, options.embedded ? undefined : search.focus),
    {
      signal: ending.signal,
    },
  )
  choose(kit, first)

  return {
    state: () => stateOf(kit),
    theme: () => theme,
    show: (state) => choose(kit, state),
    wear: (next) => themeSwitch.set(next),
    destroy() {
      ending.abort()
      for (const view of views.values()) view.destroy()
      root.remove()
    },
  }
}

const MAKERS = {
  graph: createGraphView,
  lineage: createLineageView,
  timeline: createTimelineView,
  browse: createBrowseView,
}
const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

const stateOf = (kit: Kit): GraphState => ({
  view: kit.view,
  by: kit.by,
  decision: kit.selected === undefined ? undefined : kit.decisions[kit.selected]!.label,
  query: kit.query,
})

/** Sets the selection; ignores values that are not in the data. */
function choose(kit: Kit, state: Partial<GraphState>): void {
  if (state.view !== undefined && Object.hasOwn(VIEWS, state.view)) kit.view = state.view
  if (kit.data.groupings.some(({ by }) => by === state.by)) kit.by = state.by!
  if (state.query !== undefined) kit.query = state.query
  if ('decision' in state) kit.selected = kit.placeOfNumber(Number(/^D(\d+)$/.exec(state.decision ?? '')?.[1] ?? NaN))
  kit.changed()
}

/** Keys that work wherever the focus is, except in text fields. */
function press(event: KeyboardEvent, kit: Kit, search: (() => void) | undefined): void {
  const { target } = event
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping) return
  const view = VIEW_NAMES[Number(event.key) - 1]
  if (event.key === 'Escape') {
    // The first Escape closes the decision, the next clears the search.
    if (kit.selected === undefined) kit.query = ''
    kit.select(undefined)
  } else if (event.key === '/' && search !== undefined) search()
  else if (view !== undefined) {
    kit.view = view
    kit.changed()
  } else return
  event.preventDefault()
}

function createTabs(kit: Kit): { tabs: HTMLElement; hosts: Record<ViewName, HTMLElement> } {
  const hosts = {} as Record<ViewName, HTMLElement>
  const buttons = VIEW_NAMES.map((name, i) => {
    const tab = button(
      {
        role: 'tab',
        id: kit.id(`tab-${name}`),
        'aria-controls': kit.id(`view-${name}`),
        title: `${VIEWS[name]} (${i + 1})`,
      },
      VIEWS[name],
      () => {
        kit.view = name
        kit.changed()
      },
    )
    hosts[name] = html('div', {
      class: `view view-${name}`,
      role: 'tabpanel',
      id: kit.id(`view-${name}`),
      'aria-labelledby': kit.id(`tab-${name}`),
      hidden: '',
    })
    return tab
  })
  kit.onChange(() => buttons.forEach((tab, i) => tab.setAttribute('aria-selected', String(VIEW_NAMES[i] === kit.view))))
  return { tabs: html('nav', { role: 'tablist', 'aria-label': 'Views' }, ...buttons), hosts }
}

/** Header of the graph; without a heading, search or theme switch if it is embedded in a page. */
function createHeader(
  kit: Kit,
  tabs: HTMLElement,
  own: { readonly search: HTMLElement; readonly theme: HTMLElement } | undefined,
): HTMLElement {
  const { project, stats } = kit.data
  const total = kit.decisions.length
  const questions = stats.open_questions
  const everything = [
    total === 1 ? '1 decision' : `${total} decisions`,
    `${stats.active} active`,
    ...(questions > 0 ? [questions === 1 ? '1 open question' : `${questions} open questions`] : []),
  ].join(' · ')
  const counts = html('p', { class: 'counts', role: 'status' })
  kit.onChange(() => {
    const shown = kit.shownCount()
    counts.textContent = shown === total ? everything : `${shown} of ${total} decisions shown`
    counts.classList.toggle('partial', shown !== total)
  })
  return html(
    'header',
    { class: 'top' },
    html('div', { class: 'brand' }, ...(own === undefined ? [] : [html('h1', {}, project.name)]), counts),
    tabs,
    ...(own === undefined ? [] : [own.search, own.theme]),
  )
}

function createZoom(camera: () => Zoomable | undefined): HTMLElement {
  return html(
    'div',
    { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
    button({ title: 'Zoom out (-)', 'aria-label': 'Zoom out' }, '−', () => camera()?.zoomBy(1 / 1.4)),
    button({ title: 'Zoom in (+)', 'aria-label': 'Zoom in' }, '+', () => camera()?.zoomBy(1.4)),
    button({ title: 'Show everything (0)' }, 'Fit', () => camera()?.fit()),
  )
}

const createLegend = (): HTMLElement =>
  html(
    'p',
    { class: 'legend', 'aria-hidden': 'true' },
    html('i', { class: 'dot' }),
    'active',
    html('i', { class: 'dot hollow' }),
    'superseded',
    html('i', { class: 'line' }),
    'replaced by',
    html('i', { class: 'line dashed' }),
    'cites',
  )

function createFooter(kit: Kit): HTMLElement {
  const { unreadable, stats, generated_at } = kit.data
  const faults = [
    ...(unreadable.length > 0
      ? [`${unreadable.length === 1 ? '1 file' : `${unreadable.length} files`} could not be read`]
      : []),
    ...(stats.duplicate_numbers.length > 0 ? [`duplicate numbers: ${stats.duplicate_numbers.join(', ')}`] : []),
    `as of ${generated_at.slice(0, 10)}`,
  ]
  return html('footer', {}, createInsights(kit), html('p', {}, faults.join(' · ')))
}
