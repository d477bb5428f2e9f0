import type { PageElement } from './dom.ts'
import type { View } from './dots.ts'
import type { Kit } from './kit.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** Every decision as a card, grouped by type, newest first; the open questions below. */
export function createBrowseView(kit: Kit, host: PageElement): View {
  const cards = new Map<number, PageElement>()
  const groups: { section: PageElement; count: PageElement; places: number[] }[] = []
  const nothing = kit.html('p', { class: 'empty' }, 'No decision matches.')

  function card(place: number): PageElement {
    const { label, title, date, text } = kit.decisions[place]!
    const excerpt = (text?.rationale ?? '')
      .slice(0, 400)
      .split(/\n\s*\n/)[0]!
      .replace(/[#*`>_]+/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    const face = kit.button({ class: 'browse-card ' + kit.look(place) }, '', () => kit.select(place))
    face.replaceChildren(
      kit.html(
        'span',
        { class: 'browse-facts' },
        kit.html('i', { class: 'mark' }),
        kit.html('b', {}, label),
        kit.html('time', {}, date),
      ),
      kit.html('strong', {}, title),
      kit.html('span', { class: 'excerpt' }, excerpt),
    )
    cards.set(place, face)
    return face
  }

  const byType = Map.groupBy(kit.decisions.keys(), (place) => kit.typeOf(place))
  for (const type of Object.keys(kit.data.graph.stats.by_type)) {
    const places = (byType.get(type) ?? []).reverse()
    if (places.length === 0) continue
    const count = kit.html('span', { class: 'count' })
    const section = kit.html(
      'section',
      { class: 't-' + type },
      kit.html('h2', {}, kit.wordOf(type), count),
      kit.html('div', { class: 'browse-grid' }, ...places.map(card)),
    )
    groups.push({ section, count, places })
  }
  const questions = kit.data.graph.questions.map(({ id, body }) =>
    kit.html('p', { class: 'question' }, kit.html('b', {}, id), ' ', ...kit.parts.inline(kit, body)),
  )
  const open = kit.html(
    'section',
    {},
    kit.html('h2', {}, 'Open questions', kit.html('span', { class: 'count' }, String(questions.length))),
    ...questions,
  )
  open.hidden = questions.length === 0
  host.append(kit.html('div', { class: 'browse' }, ...groups.map((group) => group.section), nothing, open))

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
