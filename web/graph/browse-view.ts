import type { View } from './dots.ts'
import { button, html } from './elements.ts'
import type { Kit } from './kit.ts'
import { inline } from './prose.ts'

/** Every decision as a card, grouped by type, newest first; the open questions below. */
export function createBrowseView(kit: Kit, host: HTMLElement): View {
  const cards = new Map<number, HTMLElement>()
  const groups: { section: HTMLElement; count: HTMLElement; places: number[] }[] = []
  const nothing = html('p', { class: 'empty' }, 'No decision matches.')

  function card(place: number): HTMLElement {
    const { label, title, date, text } = kit.decisions[place]!
    const excerpt = (text?.rationale ?? '')
      .slice(0, 400)
      .split(/\n\s*\n/)[0]!
      .replace(/[#*`>_]+/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    const face = button({ class: 'browse-card ' + kit.look(place) }, '', () => kit.select(place))
    face.replaceChildren(
      html(
        'span',
        { class: 'browse-facts' },
        html('i', { class: 'mark' }),
        html('b', {}, label),
        html('time', {}, date),
      ),
      html('strong', {}, title),
      html('span', { class: 'excerpt' }, excerpt),
    )
    cards.set(place, face)
    return face
  }

  const byType = Map.groupBy(kit.decisions.keys(), (place) => kit.typeOf(place))
  for (const type of Object.keys(kit.data.graph.stats.by_type)) {
    const places = (byType.get(type) ?? []).reverse()
    if (places.length === 0) continue
    const count = html('span', { class: 'count' })
    const section = html(
      'section',
      { class: 't-' + type },
      html('h2', {}, kit.wordOf(type), count),
      html('div', { class: 'browse-grid' }, ...places.map(card)),
    )
    groups.push({ section, count, places })
  }
  const questions = kit.data.graph.questions.map(({ id, body }) =>
    html('p', { class: 'question' }, html('b', {}, id), ' ', ...inline(kit, body)),
  )
  const open = html(
    'section',
    {},
    html('h2', {}, 'Open questions', html('span', { class: 'count' }, String(questions.length))),
    ...questions,
  )
  open.hidden = questions.length === 0
  host.append(html('div', { class: 'browse' }, ...groups.map((group) => group.section), nothing, open))

  function update(): void {
    for (const { section, count, places } of groups) {
      const shown = places.filter((place) => kit.isShown(place)).length
      section.hidden = shown === 0
      count.textContent = String(shown)
    }
    nothing.hidden = groups.length === 0 || groups.some((group) => !group.section.hidden)
    for (const [place, card] of cards) {
      card.hidden = !kit.isShown(place)
      card.classList.toggle('chosen', place === kit.selected)
    }
  }

  return { update, show: update }
}
