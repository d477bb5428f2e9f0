import { button, find, html } from './elements.ts'
import type { Kit } from './kit.ts'

/**
 * The legend: a click leaves a type, status or confidence out, another brings it back. The header says how many
 * decisions are left.
 */
export function createFilters(kit: Kit): void {
  const { stats } = kit.data.graph
  const counter = find('#counts')
  const everything = counter.textContent

  function toggle(fact: string, name: string, count: number): HTMLElement {
    const [kind, value] = fact.split(':')
    const look = kind === 'type' ? `t-${value}` : kind === 'status' ? `s-${value} plain` : 'plain'
    const chip = button({ class: 'chip ' + look, 'aria-pressed': 'true', title: `Show or hide: ${name}` }, '', () => {
      if (!kit.excluded.delete(fact)) kit.excluded.add(fact)
      chip.setAttribute('aria-pressed', String(!kit.excluded.has(fact)))
      kit.changed()
    })
    chip.append(
      ...(kind === 'confidence' ? [] : [html('i', { class: 'mark' })]),
      name,
      html('span', { class: 'count' }, String(count)),
    )
    return chip
  }

  function group(name: string, chips: readonly HTMLElement[]): HTMLElement[] {
    return chips.length > 1
      ? [html('div', { class: 'group', role: 'group', 'aria-label': name }, html('span', {}, name), ...chips)]
      : []
  }

  const types = Object.entries(stats.by_type).filter(([, count]) => count > 0)
  const confidences = Object.entries(stats.by_confidence).filter(([, count]) => count > 0)
  const statuses = [
    ['active', stats.active],
    ['superseded', stats.superseded],
  ] as const
  find('#filters').append(
    ...group(
      'Type',
      types.map(([type, count]) => toggle('type:' + type, kit.wordOf(type), count)),
    ),
    ...group(
      'Status',
      statuses
        .filter(([, count]) => count > 0)
        .map(([status, count]) => toggle('status:' + status, kit.wordOf(status), count)),
    ),
    ...group(
      'Confidence',
      confidences.map(([confidence, count]) => toggle('confidence:' + confidence, kit.wordOf(confidence), count)),
    ),
  )
  kit.onChange(() => {
    const shown = [...kit.decisions.keys()].filter((place) => kit.isShown(place)).length
    const isAll = shown === kit.decisions.length
    counter.textContent = isAll ? everything : `${shown} of ${kit.decisions.length} decisions shown`
    counter.classList.toggle('partial', !isAll)
  })
}
