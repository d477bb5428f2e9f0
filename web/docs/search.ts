import MiniSearch from 'minisearch'
import type { DocsSection } from './section.ts'

declare global {
  interface Window {
    kenDocs?: { readonly sections: readonly DocsSection[]; readonly root: string }
  }
}

const MOST_HITS = 12
const EXCERPT = 140

const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLElement>('#hits')
const data = window.kenDocs
if (field !== null && list !== null && data !== undefined) connect(field, list, data)

function connect(input: HTMLInputElement, hits: HTMLElement, { sections, root }: NonNullable<Window['kenDocs']>): void {
  let index: MiniSearch | undefined
  input.addEventListener('input', () => {
    index ??= indexOf(sections)
    const found = index.search(input.value, { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } })
    const shown = found.slice(0, MOST_HITS).map(({ id }) => sections[id as number]!)
    hits.replaceChildren(...(shown.length === 0 ? nothing(input.value) : shown.map((one) => hit(one, root, input.value))))
    hits.hidden = input.value.trim() === ''
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape' && document.activeElement === input) {
      input.value = ''
      hits.hidden = true
    }
    if (event.key === 'Enter' && document.activeElement === input) hits.querySelector('a')?.click()
  })
}

function indexOf(sections: readonly DocsSection[]): MiniSearch {
  const index = new MiniSearch({ fields: ['title', 'page', 'text'] })
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  return index
}

function hit({ address, page, title, text }: DocsSection, root: string, query: string): HTMLElement {
  const link = element('a')
  link.href = root + address
  link.append(element('b', title === page ? page : `${page} › ${title}`), element('span', excerpt(text, query)))
  return link
}

const nothing = (query: string): HTMLElement[] => (query.trim() === '' ? [] : [element('p', `No section has "${query}".`)])

/** The text around the first word of the query. */
function excerpt(text: string, query: string): string {
  const word = query.trim().toLowerCase().split(/\s+/)[0] ?? ''
  const from = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 3)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  return `${start === 0 ? '' : '… '}${text.slice(start, start + EXCERPT)}${start + EXCERPT < text.length ? ' …' : ''}`
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text?: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  return made
}
