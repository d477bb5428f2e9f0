type Attributes = Readonly<Record<string, string | number>>
export type Child = Element | string

/** An element that the page has from the start. */
export const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!

export const html = (tag: string, attributes: Attributes, ...children: Child[]): HTMLElement =>
  fill(document.createElement(tag), attributes, children)

export const svg = (tag: string, attributes: Attributes, ...children: Child[]): SVGElement =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement, attributes, children)

export function button(attributes: Attributes, text: string, act: () => void): HTMLElement {
  const element = html('button', { type: 'button', ...attributes }, text)
  element.addEventListener('click', act)
  return element
}

/** The place of the decision that an event happened on. */
export function placeAt(event: Event): number | undefined {
  const place = (event.target as Element).closest<SVGElement>('[data-place]')?.dataset['place']
  return place === undefined ? undefined : Number(place)
}

/** Children come as nodes or as text, never as markup: what the record says cannot become an element. */
function fill<Filled extends Element>(element: Filled, attributes: Attributes, children: readonly Child[]): Filled {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}
