import { find, html } from './elements.ts'
import type { Kit } from './kit.ts'

/** Search by number or title: dims what does not match, lists the best matches, Enter opens one. */
export function createSearchField(kit: Kit): void {
  const MOST = 8
  const field = find('#search') as HTMLInputElement
  const list = find('#matches')
  let found: number[] = []
  let current = 0

  function option(place: number, i: number): HTMLElement {
    const { label, title } = kit.decisions[place]!
    const row = html(
      'li',
      { role: 'option', id: 'match-' + i, class: kit.look(place), 'aria-selected': String(i === current) },
      html('i', { class: 'mark' }),
      html('b', {}, label),
      html('span', {}, title),
    )
    // Before the field loses the focus, or the list would be gone when the click comes.
    row.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      open(place)
    })
    return row
  }

  function draw(): void {
    const isOpen = kit.query.trim() !== '' && document.activeElement === field
    list.hidden = !isOpen || found.length === 0
    field.setAttribute('aria-expanded', String(!list.hidden))
    list.replaceChildren(...found.slice(0, MOST).map(option))
    if (list.hidden) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', 'match-' + current)
  }

  function search(): void {
    kit.query = field.value
    kit.changed()
    found = [...kit.decisions.keys()].filter((place) => kit.isShown(place))
    current = 0
    draw()
  }

  function open(place: number): void {
    clear()
    kit.select(place)
  }

  function clear(): void {
    field.value = ''
    search()
    field.blur()
  }

  function press(event: { key: string; preventDefault(): void }): void {
    const last = Math.min(found.length, MOST) - 1
    if (event.key === 'ArrowDown') current = Math.min(current + 1, last)
    else if (event.key === 'ArrowUp') current = Math.max(current - 1, 0)
    else if (event.key === 'Enter' && found[current] !== undefined) return open(found[current]!)
    else if (event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Escape') clear()
    else draw()
  }

  field.addEventListener('input', search)
  field.addEventListener('keydown', press)
  field.addEventListener('focus', draw)
  field.addEventListener('blur', () => (list.hidden = true))
}
