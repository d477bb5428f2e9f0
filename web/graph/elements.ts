type Attributes = Readonly<Record<string, string | number>>
export type Child = Element | string

export const html = (tag: string, attributes: Attributes, ...children: Child[]): HTMLElement =>
  fill(document.createElement(tag), attributes, children)

export function button(attributes: Attributes, text: string, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', ...attributes }, text) as HTMLButtonElement
  element.addEventListener('click', act)
  return element
}

/** Sets attributes and children. Children are nodes or text, never markup: record text cannot become an element. */
function fill<Filled extends Element>(element: Filled, attributes: Attributes, children: readonly Child[]): Filled {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}
