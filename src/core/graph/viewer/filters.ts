import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** The legend: a click leaves a type, status or confidence out, another brings it back. Says how many decisions are left. */
export function createFilters(kit: Kit): void {
  const { stats } = kit.data.graph
  const counter = kit.html('output', { class: 'left' })

  function chip(fact: string, name: string, count: number): PageElement {
    const [kind, value] = fact.split(':')
    const look = kind === 'type' ? `t-${value}` : kind === 'status' ? `s-${value} plain` : 'plain'
    const button = kit.button({ class: 'chip ' + look, 'aria-pressed': 'true', title: `Show or hide: ${name}` }, '', () => {
      if (!kit.excluded.delete(fact)) kit.excluded.add(fact)
      button.setAttribute('aria-pressed', String(!kit.excluded.has(fact)))
      kit.changed()
    })
    button.append(...(kind === 'confidence' ? [] : [kit.html('i', { class: 'mark' })]), name, kit.html('span', { class: 'count' }, String(count)))
    return button
  }

  function group(name: string, chips: readonly PageElement[]): PageElement[] {
    return chips.length > 1 ? [kit.html('div', { class: 'group', role: 'group', 'aria-label': name }, ...chips)] : []
  }

  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const types = Object.entries(stats.by_type).filter(([, count]) => count > 0)
  const confidences = Object.entries(stats.by_confidence).filter(([, count]) => count > 0)
  const statuses = [['active', stats.active], ['superseded', stats.superseded]] as const
  kit.find('#filters').append(
    ...group('Type', types.map(([type, count]) => chip('type:' + type, kit.typeName(type), count))),
    ...group('Status', statuses.filter(([, count]) => count > 0).map(([status, count]) => chip('status:' + status, capital(status), count))),
    ...group('Confidence', confidences.map(([confidence, count]) => chip('confidence:' + confidence, capital(confidence), count))),
    counter,
  )
  kit.onChange(() => {
    const shown = [...kit.decisions.keys()].filter((place) => kit.isShown(place)).length
    counter.textContent = shown === kit.decisions.length ? '' : `${shown} of ${kit.decisions.length} shown`
  })
}
