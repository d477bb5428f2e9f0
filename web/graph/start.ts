import type { PageData } from '../../src/core/graph/page.ts'
import { createBrowseView } from './browse-view.ts'
import type { View } from './dots.ts'
import { find } from './elements.ts'
import { createFilters } from './filters.ts'
import { createGraphView } from './graph-view.ts'
import { createInsights } from './insights.ts'
import { createKit } from './kit.ts'
import { createLineageView } from './lineage-view.ts'
import { createPanel } from './panel.ts'
import { createSearchField } from './search-field.ts'
import { createTimelineView } from './timeline-view.ts'

/** Brings the page to life: views are drawn when they are first shown, the address remembers view and decision. */
function start(): void {
  const kit = createKit(JSON.parse(find('#graph-data').textContent) as PageData)
  const makers = {
    graph: createGraphView,
    lineage: createLineageView,
    timeline: createTimelineView,
    browse: createBrowseView,
  }
  const names = Object.keys(makers) as (keyof typeof makers)[]
  const views = new Map<string, View>()
  let current: keyof typeof makers = 'graph'
  let seen: number | undefined

  function show(name: keyof typeof makers): void {
    current = name
    for (const each of names) {
      find('#view-' + each).hidden = each !== name
      find('#tab-' + each).setAttribute('aria-selected', String(each === name))
    }
    if (!views.has(name)) views.set(name, makers[name](kit, find('#view-' + name)))
    find('#tip').hidden = true
    views.get(name)!.show()
    remember()
  }

  function remember(): void {
    const decision = kit.selected === undefined ? '' : '/' + kit.decisions[kit.selected]!.label
    window.history.replaceState(null, '', `#${current}${decision}`)
  }

  function recall(): void {
    const [view, decision] = window.location.hash.slice(1).split('/')
    kit.selected = kit.placeOfNumber(Number(/^D(\d+)$/.exec(decision ?? '')?.[1] ?? NaN))
    show(names.find((name) => name === view) ?? 'graph')
    kit.changed()
  }

  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const search = find('#search') as HTMLInputElement
    const view = names[Number(event.key) - 1]
    if (event.key === 'Escape') kit.select(undefined)
    else if (view !== undefined) show(view)
    else if (event.key === '/') {
      search.focus()
      search.select()
    } else return
    event.preventDefault()
  }

  createFilters(kit)
  createSearchField(kit)
  createInsights(kit)
  createPanel(kit)
  kit.onChange(() => {
    // `show` also brings the selected decision into sight, which must not happen again while someone types.
    if (kit.selected === seen) views.get(current)?.update()
    else views.get(current)?.show()
    seen = kit.selected
    remember()
  })
  for (const name of names) find('#tab-' + name).addEventListener('click', () => show(name))
  window.addEventListener('keydown', press)
  window.addEventListener('resize', () => views.get(current)?.show())
  window.addEventListener('hashchange', recall)
  recall()
}

start()
