import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** What stands out in the record, each a way in. */
export function createInsights(kit: Kit): void {
  const { stats } = kit.data.graph

  function insight(name: string, found: { id: string; count: number } | null, unit: string): PageElement[] {
    if (found === null) return []
    const place = kit.placeOf(found.id)
    const button = kit.button({ title: kit.decisions[place]!.title }, '', () => kit.select(place))
    button.append(
      name + ' ',
      kit.html('b', {}, kit.decisions[place]!.label),
      kit.html('span', {}, ` ${found.count} ${unit}`),
    )
    return [button]
  }

  kit
    .find('#insights')
    .append(
      ...insight('Most cited', stats.most_cited, 'times'),
      ...insight('Merges most', stats.largest_consolidation, 'decisions'),
      ...insight(
        'Most questioned',
        stats.most_questioned,
        stats.most_questioned?.count === 1 ? 'question' : 'questions',
      ),
      ...(stats.busiest_day === null
        ? []
        : [
            kit.html(
              'span',
              {},
              'Busiest day ',
              kit.html('b', {}, stats.busiest_day.date),
              ` ${stats.busiest_day.count} decisions`,
            ),
          ]),
    )
}
