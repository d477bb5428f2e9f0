import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
/** The selected decision in full, with its relations to go on from. */
export function createPanel(kit: Kit): void {
  const panel = kit.find('#panel')
  let shown: number | undefined

  function facts(place: number): PageElement {
    const { status, confidence, reversibility, date } = kit.decisions[place]!
    const words = [
      date,
      kit.wordOf(kit.typeOf(place)),
      `${confidence} confidence`,
      ...(reversibility === null ? [] : [`${reversibility} to reverse`]),
    ]
    return kit.html(
      'p',
      { class: 'facts' },
      kit.html('span', { class: 'badge s-' + status }, status),
      ...words.map((word) => kit.html('span', {}, word)),
    )
  }

  function relation(name: string, places: readonly number[]): PageElement[] {
    if (places.length === 0) return []
    const rows = places.map((place) => {
      const row = kit.button({ class: 'relation ' + kit.look(place) }, '', () => kit.select(place))
      row.replaceChildren(
        kit.html('i', { class: 'mark' }),
        kit.html('b', {}, kit.decisions[place]!.label),
        kit.html('span', {}, kit.decisions[place]!.title),
      )
      return row
    })
    return [kit.html('h3', {}, name), ...rows]
  }

  function section(name: string, children: readonly PageElement[]): PageElement[] {
    return children.length === 0 ? [] : [kit.html('h3', {}, name), ...children]
  }

  function content(place: number): PageElement[] {
    const { label, title, text, files_affected } = kit.decisions[place]!
    const { replaces, replacedBy, cites, citedBy, questions } = kit.relations[place]!
    const rejected = (text?.rejected ?? []).flatMap(({ name, reason }) => [
      kit.html(
        'details',
        { open: '' },
        kit.html('summary', {}, name),
        ...kit.parts.prose(kit, reason ?? 'No reason recorded.'),
      ),
    ])
    return [
      kit.html(
        'header',
        { class: kit.look(place) },
        kit.html('p', { class: 'number' }, kit.html('i', { class: 'mark' }), label),
        kit.button({ class: 'close', title: 'Close (Esc)' }, '×', () => kit.select(undefined)),
      ),
      kit.html('h2', {}, title),
      facts(place),
      ...relation('Replaced by', replacedBy),
      ...relation('Replaces', replaces),
      kit.html(
        'div',
        { class: 'prose' },
        ...kit.parts.prose(kit, text?.rationale ?? 'The text is not part of this page.'),
      ),
      ...section('Rejected', rejected),
      ...section(
        'Open questions',
        questions.map(({ id, body }) =>
          kit.html('p', { class: 'question' }, kit.html('b', {}, id), ' ', ...kit.parts.inline(kit, body)),
        ),
      ),
      ...relation('Cites', cites),
      ...relation('Cited by', citedBy),
      ...section(
        'Files',
        files_affected.map((path) => kit.html('p', { class: 'path' }, path)),
      ),
    ]
  }

  kit.onChange(() => {
    if (kit.selected === shown) return
    shown = kit.selected
    panel.classList.toggle('open', shown !== undefined)
    if (shown === undefined) panel.setAttribute('inert', '')
    else {
      panel.removeAttribute('inert')
      panel.replaceChildren(...content(shown))
      panel.scrollTop = 0
    }
  })
}
