import { button, html } from './elements.ts'
import type { Kit } from './kit.ts'
import { wordOf } from './word-of.ts'

/** Filters: clicking a type, status or confidence hides it, clicking it again shows it. Folded behind one button. */
export function createFilters(kit: Kit): HTMLElement[] {
  const { stats } = kit.data
  const box = html('div', { class: 'filters', id: kit.id('filters'), hidden: '' })
  const fold = button({ class: 'fold', 'aria-expanded': 'false', 'aria-controls': kit.id('filters') }, 'Filter', () => {
    box.hidden = !box.hidden
    fold.setAttribute('aria-expanded', String(!box.hidden))
  })
  kit.onChange(() => (fold.textContent = kit.excluded.size === 0 ? 'Filter' : `Filter: ${kit.excluded.size} off`))

  function toggle(fact: string, name: string, count: number): HTMLElement {
    const chip = button({ class: 'chip', 'aria-pressed': 'true', title: `Show or hide: ${name}` }, name, () => {
      if (!kit.excluded.delete(fact)) kit.excluded.add(fact)
      chip.setAttribute('aria-pressed', String(!kit.excluded.has(fact)))
      kit.changed()
    })
    chip.append(html('span', { class: 'count' }, String(count)))
    return chip
  }

  function group(kind: string, name: string, counts: readonly (readonly [string, number])[]): HTMLElement[] {
    const chips = counts
      .filter(([, count]) => count > 0)
      .map(([value, count]) => toggle(`${kind}:${value}`, wordOf(value), count))
    return chips.length > 1
      ? [html('div', { class: 'group', role: 'group', 'aria-label': name }, html('span', {}, name), ...chips)]
      : []
  }

  const groups = [
    ...group('type', 'Type', Object.entries(stats.by_type)),
    ...group('status', 'Status', [
      ['active', stats.active],
      ['superseded', stats.superseded],
    ]),
    ...group('confidence', 'Confidence', Object.entries(stats.by_confidence)),
  ]
  if (groups.length === 0) return []
  box.append(...groups)
  return [fold, box]
}
