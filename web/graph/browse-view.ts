import { button, html } from './elements.ts'
import type { Kit } from './kit.ts'
import { marked } from './marked.ts'
import { groupColour } from './palette.ts'
import { inline } from './prose.ts'
import type { View } from './view.ts'

interface Section {
  readonly element: HTMLElement
  readonly count: HTMLElement
  readonly cards: readonly { readonly place: number; readonly face: HTMLElement; readonly title: HTMLElement }[]
}

/** Every decision as a card, newest first in its group; the open questions below. */
export function createBrowseView(kit: Kit, { host, root }: { host: HTMLElement; root: HTMLElement }): View {
  const nothing = html('p', { class: 'empty' }, 'No decision matches.')
  const list = html('div', { class: 'browse' })
  let sections: readonly Section[] = []
  let drawn = ''
  host.append(list)

  function card(place: number): Section['cards'][number] {
    const { label, date, text, status } = kit.decisions[place]!
    const face = button({ class: `browse-card s-${status}` }, '', () => kit.select(place))
    const title = html('strong', {})
    face.append(
      html(
        'span',
        { class: 'browse-facts' },
        html('i', { class: 'dot' + (status === 'superseded' ? ' hollow' : '') }),
        html('b', {}, label),
        ...(status === 'superseded' ? [html('span', {}, 'superseded')] : []),
        html('time', {}, date),
      ),
      title,
      html('span', { class: 'excerpt' }, excerptOf(text?.rationale ?? '')),
    )
    return { place, face, title }
  }

  function section(group: number, places: readonly number[]): Section {
    const count = html('span', { class: 'count' })
    const cards = places.map(card)
    const element = html(
      'section',
      {},
      html('h2', {}, kit.grouping().names[group]!, count),
      html('div', { class: 'browse-grid' }, ...cards.map(({ face }) => face)),
    )
    const isDark = getComputedStyle(root).getPropertyValue('--scheme').trim() === 'dark'
    element.style.setProperty('--c', groupColour(kit.grouping(), group, isDark))
    return { element, count, cards }
  }

  function build(): void {
    const key = `${kit.by} ${root.dataset['theme']}`
    if (key === drawn) return
    drawn = key
    const { of, names } = kit.grouping()
    const byGroup = Map.groupBy(newestFirst(kit), (place) => of[place]!)
    sections = [...names.keys()].flatMap((group) => {
      const places = byGroup.get(group)
      return places === undefined ? [] : [section(group, places)]
    })
    list.replaceChildren(...sections.map(({ element }) => element), nothing, ...openQuestions(kit))
  }

  function update(): void {
    build()
    const words = kit.words()
    for (const { element, count, cards } of sections) {
      let shown = 0
      for (const { place, face, title } of cards) {
        face.hidden = !kit.isShown(place)
        face.classList.toggle('chosen', place === kit.selected)
        if (face.hidden) continue
        shown++
        title.replaceChildren(...marked(kit.decisions[place]!.title, words))
      }
      element.hidden = shown === 0
      count.textContent = String(shown)
    }
    nothing.hidden = sections.length === 0 || sections.some(({ element }) => !element.hidden)
  }

  return { camera: undefined, update, show: update, destroy() {} }
}

const newestFirst = (kit: Kit): number[] =>
  [...kit.decisions.keys()].sort((a, b) => {
    const [earlier, later] = [kit.decisions[a]!.date, kit.decisions[b]!.date]
    return earlier < later ? 1 : earlier > later ? -1 : b - a
  })

const excerptOf = (rationale: string): string =>
  rationale
    .slice(0, 400)
    .split(/\n\s*\n/)[0]!
    .replace(/[#*`>_]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

function openQuestions(kit: Kit): HTMLElement[] {
  const { questions } = kit.data
  if (questions.length === 0) return []
  const count = html('span', { class: 'count' }, String(questions.length))
  return [
    html(
      'section',
      {},
      html('h2', {}, 'Open questions', count),
      ...questions.map(({ id, body }) =>
        html('p', { class: 'question' }, html('b', {}, id), ' ', ...inline(kit, body)),
      ),
    ),
  ]
}
