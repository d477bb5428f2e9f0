import { html } from './elements.ts'
import type { Hit } from './full-text.ts'
import type { Kit } from './kit.ts'
import { marked } from './marked.ts'

const MOST = 40

export interface SearchField {
  readonly element: HTMLElement
  focus(): void
}

/** Full-text search: non-matches fade, hits are listed best first, Enter opens one, Escape ends the search. */
export function createSearchField(kit: Kit): SearchField {
  const field = html('input', {
    type: 'search',
    placeholder: 'Search titles and texts',
    'aria-label': 'Search titles, reasons and rejected alternatives',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': kit.id('matches'),
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
  }) as HTMLInputElement
  const list = html('ul', {
    class: 'matches',
    id: kit.id('matches'),
    role: 'listbox',
    'aria-label': 'Found',
    hidden: '',
  })
  const count = html('p', { class: 'unseen', role: 'status' })
  let found: readonly Hit[] = []
  let current = 0

  function option({ place, passage }: Hit, i: number): HTMLElement {
    const { label, title, status } = kit.decisions[place]!
    const words = kit.words()
    const row = html(
      'li',
      { role: 'option', id: kit.id(`match-${i}`), class: 's-' + status, 'aria-selected': String(i === current) },
      html('b', {}, ...marked(label, words)),
      html('span', {}, ...marked(title, words)),
      ...(passage === undefined
        ? []
        : [
            html(
              'small',
              {},
              ...(passage.name === '' ? [] : [html('em', {}, `${passage.name} `)]),
              ...marked(passage.text, words),
            ),
          ]),
    )
    // Keeps the focus in the field, otherwise the list would close before the click.
    row.addEventListener('pointerdown', (event) => event.preventDefault())
    row.addEventListener('click', () => open(place))
    return row
  }

  function draw(): void {
    list.hidden = kit.query.trim() === '' || document.activeElement !== field
    field.setAttribute('aria-expanded', String(!list.hidden))
    if (list.hidden || found.length === 0) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', kit.id(`match-${current}`))
    if (list.hidden) return
    const more = found.length > MOST ? `${found.length - MOST} more; type to narrow down` : ''
    const note = found.length === 0 ? 'No matches.' : more
    list.replaceChildren(
      ...found.slice(0, MOST).map(option),
      ...(note === '' ? [] : [html('li', { class: 'note', role: 'presentation' }, note)]),
    )
    list.children[current]?.scrollIntoView({ block: 'nearest' })
  }

  function search(): void {
    kit.query = field.value
    current = 0
    kit.changed()
    count.textContent = kit.query.trim() === '' ? '' : `${found.length} found`
  }

  function open(place: number): void {
    field.blur()
    kit.select(place)
  }

  function press(event: KeyboardEvent): void {
    const last = Math.max(0, Math.min(found.length, MOST) - 1)
    if (event.key === 'ArrowDown') current = Math.min(current + 1, last)
    else if (event.key === 'ArrowUp') current = Math.max(current - 1, 0)
    else if (event.key === 'Enter') found.slice(current, current + 1).forEach(({ place }) => open(place))
    else if (event.key === 'Escape') {
      field.value = ''
      search()
      field.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
    draw()
  }

  field.addEventListener('input', search)
  field.addEventListener('keydown', press)
  field.addEventListener('focus', draw)
  field.addEventListener('blur', () => (list.hidden = true))
  kit.onChange(() => {
    if (field.value !== kit.query) field.value = kit.query
    found = (kit.found() ?? []).filter(({ place }) => kit.isShown(place))
    draw()
  })
  return {
    element: html(
      'div',
      { class: 'search', role: 'search' },
      field,
      html('kbd', { 'aria-hidden': 'true' }, '/'),
      list,
      count,
    ),
    focus() {
      field.focus()
      field.select()
    },
  }
}
