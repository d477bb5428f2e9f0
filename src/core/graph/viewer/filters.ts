import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/**
 * The legend: a click leaves a type, status or confidence out, another brings it back. The header says how many
 * decisions are left.
 */
export function createFilters(kit: Kit): void {
  const { stats } = kit.data.graph
  const counter = kit.find('#counts')
  const everything = counter.textContent

  function chip(fact: string, name: string, count: number): PageElement {
    const [kind, value] = fact.split(':')
    const look = kind === 'type' ? `t-${value}` : kind === 'status' ? `s-${value} plain` : 'plain'
    const button = kit.button(
      { class: 'chip ' + look, 'aria-pressed': 'true', title: `Show or hide: ${name}` },
      '',
      () => {
        if (!kit.excluded.delete(fact)) kit.excluded.add(fact)
        button.setAttribute('aria-pressed', String(!kit.excluded.has(fact)))
        kit.changed()
      },
    )
    button.append(
      ...(kind === 'confidence' ? [] : [kit.html('i', { class: 'mark' })]),
      name,
      kit.html('span', { class: 'count' }, String(count)),
    )
    return button
  }

  function group(name: string, chips: readonly PageElement[]): PageElement[] {
    return chips.length > 1
      ? [kit.html('div', { class: 'group', role: 'group', 'aria-label': name }, kit.html('span', {}, name), ...chips)]
      : []
  }

  const types = Object.entries(stats.by_type).filter(([, count]) => count > 0)
  const confidences = Object.entries(stats.by_confidence).filter(([, count]) => count > 0)
  const statuses = [
    ['active', stats.active],
    ['superseded', stats.superseded],
  ] as const
  kit.find('#filters').append(
    ...group(
      'Type',
      types.map(([type, count]) => chip('type:' + type, kit.wordOf(type), count)),
    ),
    ...group(
      'Status',
      statuses
        .filter(([, count]) => count > 0)
        .map(([status, count]) => chip('status:' + status, kit.wordOf(status), count)),
    ),
    ...group(
      'Confidence',
      confidences.map(([confidence, count]) => chip('confidence:' + confidence, kit.wordOf(confidence), count)),
    ),
  )
  kit.onChange(() => {
    const shown = [...kit.decisions.keys()].filter((place) => kit.isShown(place)).length
    const isAll = shown === kit.decisions.length
    counter.textContent = isAll ? everything : `${shown} of ${kit.decisions.length} decisions shown`
    counter.classList.toggle('partial', !isAll)
  })
}
