import { button, html, type Child } from './elements.ts'
import type { Kit } from './kit.ts'

/**
 * Markdown as elements: headings, lists, quotes, code and emphasis. Everything else, including links and HTML, stays
 * text.
 */
export function prose(kit: Kit, text: string): HTMLElement[] {
  const lines = text.split(/\r?\n/)
  const blocks: HTMLElement[] = []
  let at = 0

  function take(belongs: (line: string) => boolean): string[] {
    const from = at
    while (at < lines.length && belongs(lines[at]!)) at++
    return lines.slice(from, at)
  }

  function fence(mark: string): HTMLElement {
    at++
    const code = take((line) => !line.trim().startsWith(mark))
    at++
    return html('pre', {}, html('code', {}, code.join('\n')))
  }

  function list(tag: string, item: RegExp): HTMLElement {
    const items: string[] = []
    for (const line of take((line) => item.test(line) || /^\s+\S/.test(line))) {
      if (item.test(line)) items.push(line.replace(item, ''))
      else items[items.length - 1] += ' ' + line.trim()
    }
    return html(tag, {}, ...items.map((each) => html('li', {}, ...inline(kit, each))))
  }

  while (at < lines.length) {
    const line = lines[at]!
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1]
    if (line.trim() === '') at++
    else if (mark !== undefined) blocks.push(fence(mark))
    else if (heading !== undefined) {
      at++
      blocks.push(html('h4', {}, ...inline(kit, heading)))
    } else if (/^\s*[-*+]\s+/.test(line)) blocks.push(list('ul', /^\s*[-*+]\s+/))
    else if (/^\s*\d+[.)]\s+/.test(line)) blocks.push(list('ol', /^\s*\d+[.)]\s+/))
    else if (line.startsWith('>'))
      blocks.push(
        html(
          'blockquote',
          {},
          ...inline(
            kit,
            take((each) => each.startsWith('>'))
              .map((each) => each.slice(1).trim())
              .join(' '),
          ),
        ),
      )
    else {
      const paragraph = take((each) => each.trim() !== '' && !/^\s*(?:```|~~~|[-*+]\s|\d+[.)]\s|#{1,6}\s|>)/.test(each))
      // A line that looks like the start of a block but is not one must still be consumed.
      blocks.push(html('p', {}, ...inline(kit, paragraph.length > 0 ? paragraph.join(' ') : lines[at++]!)))
    }
  }
  return blocks
}

/**
 * Code, emphasis and references to decisions inside a line. Every run is bounded, so that no text can make this slow.
 */
export function inline(kit: Kit, text: string): Child[] {
  const mark =
    /`([^`\n]{1,400})`|\*\*([^*\n]{1,400})\*\*|(?<![\w*])[*_]([^*_\n]{1,400})[*_](?![\w*])|\[([^\]\n]{1,300})\]\(([^)\s]{1,400})\)|(?<![\w.])(D0*(\d{1,9}))(?![\w]|\.\w)/g
  const children: Child[] = []
  let done = 0
  for (const match of text.matchAll(mark)) {
    const [whole, code, strong, emphasis, name, address, reference, number] = match
    const place = number === undefined ? undefined : kit.placeOfNumber(Number(number))
    children.push(text.slice(done, match.index))
    done = match.index + whole.length
    if (code !== undefined) children.push(html('code', {}, code))
    else if (strong !== undefined) children.push(html('strong', {}, strong))
    else if (emphasis !== undefined) children.push(html('em', {}, emphasis))
    else if (name !== undefined) children.push(name, html('span', { class: 'address' }, ` (${address})`))
    else if (place !== undefined) children.push(button({ class: 'reference' }, reference!, () => kit.select(place)))
    else children.push(whole)
  }
  children.push(text.slice(done))
  return children.filter((child) => child !== '')
}
