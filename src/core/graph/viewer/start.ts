import type { PageEvent, PageWindow } from './dom.ts'
import type { View } from './dots.ts'
import type { PageData } from './kit.ts'
import type { Parts } from './parts.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** Brings the page to life: views are drawn when they are first shown, the address remembers view and decision. */
export function start(window: PageWindow, parts: Parts): void {
  const data = JSON.parse(window.document.querySelector('#graph-data')!.textContent!) as PageData
  const kit = parts.createKit(window, data, parts)
  const makers = {
    graph: parts.createGraphView,
    lineage: parts.createLineageView,
    timeline: parts.createTimelineView,
    browse: parts.createBrowseView,
  }
  const names = Object.keys(makers) as (keyof typeof makers)[]
  const views = new Map<string, View>()
  let current: keyof typeof makers = 'graph'
  let seen: number | undefined

  function show(name: keyof typeof makers): void {
    current = name
    for (const each of names) {
      kit.find('#view-' + each).hidden = each !== name
      kit.find('#tab-' + each).setAttribute('aria-selected', String(each === name))
    }
    if (!views.has(name)) views.set(name, makers[name](kit, kit.find('#view-' + name)))
    kit.find('#tip').hidden = true
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

  function press(event: PageEvent): void {
    const isTyping = event.target?.tagName === 'INPUT'
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    const search = kit.find('#search')
    const view = names[Number(event.key) - 1]
    if (event.key === 'Escape') kit.select(undefined)
    else if (view !== undefined) show(view)
    else if (event.key === '/') {
      search.focus()
      search.select()
    } else return
    event.preventDefault()
  }

  parts.createFilters(kit)
  parts.createSearchField(kit)
  parts.createInsights(kit)
  parts.createPanel(kit)
  kit.onChange(() => {
    // `show` also brings the selected decision into sight, which must not happen again while someone types.
    if (kit.selected === seen) views.get(current)?.update()
    else views.get(current)?.show()
    seen = kit.selected
    remember()
  })
  for (const name of names) kit.find('#tab-' + name).addEventListener('click', () => show(name))
  window.addEventListener('keydown', press)
  window.addEventListener('resize', () => views.get(current)?.show())
  window.addEventListener('hashchange', recall)
  recall()
}
