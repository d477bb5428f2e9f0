import { button, html } from './elements.ts'
import type { Kit } from './kit.ts'
import { marked } from './marked.ts'
import { groupColour } from './palette.ts'
import { inline, prose } from './prose.ts'
import { wordOf } from './word-of.ts'

/** The selected decision in full, with links to related ones: a column at the right, a sheet on a phone. */
export function createPanel(kit: Kit, root: HTMLElement, onOpen?: (number: number) => void): HTMLElement {
  const panel = html('aside', { class: 'panel', 'aria-label': 'Decision', tabindex: -1, inert: '' })
  let shown: number | undefined
  let before: Element | null = null

  function colourOf(place: number): string {
    const isDark = getComputedStyle(root).getPropertyValue('--scheme').trim() === 'dark'
    return groupColour(kit.grouping(), kit.grouping().of[place]!, isDark)
  }

  function dot(place: number): HTMLElement {
    const mark = html('i', { class: kit.decisions[place]!.status === 'superseded' ? 'dot hollow' : 'dot' })
    mark.style.setProperty('--c', colourOf(place))
    return mark
  }

  function facts(place: number): HTMLElement {
    const { status, confidence, reversibility, date, decision_type } = kit.decisions[place]!
    const { names, of } = kit.grouping()
    const words = [
      date,
      ...(decision_type === null ? [] : [wordOf(decision_type)]),
      `${confidence} confidence`,
      ...(reversibility === null ? [] : [`${reversibility} to reverse`]),
      ...(kit.by === 'topic' || kit.by === 'folder' || kit.by === 'tag' ? [names[of[place]!]!] : []),
    ]
    return html(
      'p',
      { class: 'facts' },
      html('span', { class: 'badge s-' + status }, status),
      ...words.map((word) => html('span', {}, word)),
    )
  }

  function relation(name: string, places: readonly number[]): HTMLElement[] {
    const rows = places.map((place) => {
      const row = button({ class: 'relation' }, '', () => kit.select(place))
      row.append(dot(place), html('b', {}, kit.decisions[place]!.label), html('span', {}, kit.decisions[place]!.title))
      return row
    })
    return section(name, rows)
  }

  function section(name: string, children: readonly HTMLElement[]): HTMLElement[] {
    return children.length === 0 ? [] : [html('h3', {}, name), ...children]
  }

  function content(place: number): HTMLElement[] {
    const { num, label, title, text, files_affected } = kit.decisions[place]!
    const { replaces, replacedBy, cites, citedBy, questions } = kit.relations[place]!
    const rejected = (text?.rejected ?? []).flatMap(({ name, reason }) => [
      html('details', { open: '' }, html('summary', {}, name), ...prose(kit, reason ?? 'No reason recorded.')),
    ])
    return [
      html(
        'header',
        {},
        html('p', { class: 'number' }, dot(place), label),
        button({ class: 'close', title: 'Close (Esc)', 'aria-label': 'Close' }, '×', () => kit.select(undefined)),
      ),
      html('h2', {}, ...marked(title, kit.words())),
      facts(place),
      ...(onOpen === undefined ? [] : [button({ class: 'open-it' }, 'Open the decision', () => onOpen(num))]),
      ...relation('Replaced by', replacedBy),
      ...relation('Replaces', replaces),
      html(
        'div',
        { class: 'prose' },
        ...prose(kit, text?.rationale ?? (onOpen === undefined ? 'The full text is not included in this page.' : '')),
      ),
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

  function open(place: number): void {
    if (!panel.contains(document.activeElement)) before = document.activeElement
    panel.removeAttribute('inert')
    panel.replaceChildren(...content(place))
    panel.scrollTop = 0
    panel.focus({ preventScroll: true })
  }

  /** Returns the focus to the previously focused element, for keyboard users. */
  function close(): void {
    const wasInside = panel.contains(document.activeElement)
    panel.setAttribute('inert', '')
    if (wasInside && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  }

  kit.onChange(() => {
    if (kit.selected === shown) return
    shown = kit.selected
    panel.classList.toggle('open', shown !== undefined)
    if (shown === undefined) close()
    else open(shown)
  })
  return panel
}
