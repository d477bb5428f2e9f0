import { button, html } from './elements.ts'
import type { Kit } from './kit.ts'

/** Notable findings about the record, each a link. */
export function createInsights(kit: Kit): HTMLElement {
  const { stats } = kit.data

  function insight(name: string, found: { id: string; count: number } | null, unit: string): HTMLElement[] {
    if (found === null) return []
    const place = kit.placeOf(found.id)
    const way = button({ title: kit.decisions[place]!.title }, '', () => kit.select(place))
    way.append(name + ' ', html('b', {}, kit.decisions[place]!.label), html('span', {}, ` ${found.count} ${unit}`))
    return [way]
  }

  return html(
    'div',
    { class: 'insights' },
    ...insight('Most cited', stats.most_cited, 'times'),
    ...insight('Merges most', stats.largest_consolidation, 'decisions'),
    ...insight('Most questioned', stats.most_questioned, stats.most_questioned?.count === 1 ? 'question' : 'questions'),
    ...(stats.busiest_day === null
      ? []
      : [
          html(
            'span',
            {},
            'Busiest day ',
            html('b', {}, stats.busiest_day.date),
            ` ${stats.busiest_day.count} decisions`,
          ),
        ]),
  )
}
