import { button, find, html } from './elements.ts'
import type { Kit } from './kit.ts'
import { inline, prose } from './prose.ts'

/** The selected decision in full, with its relations to go on from. */
export function createPanel(kit: Kit): void {
  const panel = find('#panel')
  let shown: number | undefined

  function facts(place: number): HTMLElement {
    const { status, confidence, reversibility, date } = kit.decisions[place]!
    const words = [
      date,
      kit.wordOf(kit.typeOf(place)),
      `${confidence} confidence`,
      ...(reversibility === null ? [] : [`${reversibility} to reverse`]),
    ]
    return html(
      'p',
      { class: 'facts' },
      html('span', { class: 'badge s-' + status }, status),
      ...words.map((word) => html('span', {}, word)),
    )
  }

  function relation(name: string, places: readonly number[]): HTMLElement[] {
    if (places.length === 0) return []
    const rows = places.map((place) => {
      const row = button({ class: 'relation ' + kit.look(place) }, '', () => kit.select(place))
      row.replaceChildren(
        html('i', { class: 'mark' }),
        html('b', {}, kit.decisions[place]!.label),
        html('span', {}, kit.decisions[place]!.title),
      )
      return row
    })
    return [html('h3', {}, name), ...rows]
  }

  function section(name: string, children: readonly HTMLElement[]): HTMLElement[] {
    return children.length === 0 ? [] : [html('h3', {}, name), ...children]
  }

  function content(place: number): HTMLElement[] {
    const { label, title, text, files_affected } = kit.decisions[place]!
    const { replaces, replacedBy, cites, citedBy, questions } = kit.relations[place]!
    const rejected = (text?.rejected ?? []).flatMap(({ name, reason }) => [
      html('details', { open: '' }, html('summary', {}, name), ...prose(kit, reason ?? 'No reason recorded.')),
    ])
    return [
      html(
        'header',
        { class: kit.look(place) },
        html('p', { class: 'number' }, html('i', { class: 'mark' }), label),
        button({ class: 'close', title: 'Close (Esc)' }, '×', () => kit.select(undefined)),
      ),
      html('h2', {}, title),
      facts(place),
      ...relation('Replaced by', replacedBy),
      ...relation('Replaces', replaces),
      html('div', { class: 'prose' }, ...prose(kit, text?.rationale ?? 'The text is not part of this page.')),
      ...section('Rejected', rejected),
      ...section(
        'Open questions',
        questions.map(({ id, body }) => html('p', { class: 'question' }, html('b', {}, id), ' ', ...inline(kit, body))),
      ),
      ...relation('Cites', cites),
      ...relation('Cited by', citedBy),
      ...section(
        'Files',
        files_affected.map((path) => html('p', { class: 'path' }, path)),
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
