import { markdownRows } from './markdown-rows.ts'
import { parseMarkup, type MarkupElement } from './parse-markup.ts'

type Node = MarkupElement | string

/**
 * Converts HTML or the Confluence storage format to Markdown. Images become their names; scripts and navigation are
 * dropped.
 */
export function markupToMarkdown(text: string): string {
  const root = parseMarkup(text)
  const main =
    find(
      root,
      (element) => element.tag === 'main' || element.tag === 'article' || element.attributes['role'] === 'main',
    ) ??
    find(root, (element) => element.tag === 'body') ??
    root
  return `${blocks(main.children).trim()}\n`.replaceAll(/\n{3,}/g, '\n\n')
}

/** Title from the page itself. */
export function markupTitle(text: string): string | undefined {
  const root = parseMarkup(text)
  const found = find(root, (element) => element.tag === 'title') ?? find(root, (element) => element.tag === 'h1')
  return found === undefined ? undefined : textOf(found).replaceAll(/\s+/g, ' ').trim() || undefined
}

const SKIPPED = new Set(['head', 'nav', 'footer', 'aside', 'form', 'button', 'iframe', 'ac:parameter', 'colgroup'])
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'strong',
  'i',
  'em',
  'code',
  'kbd',
  'samp',
  'tt',
  'span',
  'u',
  's',
  'del',
  'strike',
  'small',
  'sub',
  'sup',
  'mark',
  'q',
  'cite',
  'time',
  'br',
  'img',
  'font',
  'ins',
  'label',
  'ac:link',
  'ac:image',
  'ac:emoticon',
  'ac:inline-comment-marker',
  'ri:page',
  'ri:user',
  'ac:link-body',
  'ac:plain-text-link-body',
])

function blocks(nodes: readonly Node[]): string {
  const parts: string[] = []
  let run: Node[] = []
  const flush = (): void => {
    const line = inline(run).trim()
    if (line !== '') parts.push(line)
    run = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || INLINE.has(node.tag) || isInlineMacro(node)) run.push(node)
    else {
      flush()
      const part = block(node)
      if (part.trim() !== '') parts.push(trimmed(part))
    }
  }
  flush()
  return parts.join('\n\n')
}

function block(element: MarkupElement): string {
  const { tag, children } = element
  if (SKIPPED.has(tag)) return ''
  const level = /^h([1-6])$/.exec(tag)?.[1]
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${inline(children).trim()}`
  if (tag === 'ul' || tag === 'ol' || tag === 'ac:task-list') return list(element)
  if (tag === 'pre')
    return fenced(
      textOf(element),
      /language-([\w+-]+)/.exec(find(element, (inner) => inner.tag === 'code')?.attributes['class'] ?? '')?.[1],
    )
  if (tag === 'blockquote') return quoted(blocks(children))
  if (tag === 'table') return table(element)
  if (tag === 'hr') return '---'
  if (tag === 'ac:structured-macro' || tag === 'ac:macro') return macro(element)
  if (tag === 'dl')
    return children
      .flatMap((node) =>
        typeof node === 'string'
          ? []
          : [node.tag === 'dt' ? `**${inline(node.children).trim()}**` : blocks(node.children)],
      )
      .join('\n\n')
  return blocks(children)
}

function macro(element: MarkupElement): string {
  const name = element.attributes['ac:name'] ?? ''
  const parameter = (key: string): string | undefined => {
    const found = element.children.find(
      (node): node is MarkupElement =>
        typeof node !== 'string' && node.tag === 'ac:parameter' && node.attributes['ac:name'] === key,
    )
    return found === undefined ? undefined : textOf(found).trim()
  }
  const plain = find(element, (inner) => inner.tag === 'ac:plain-text-body')
  if (plain !== undefined) return fenced(textOf(plain), parameter('language'))
  const body = find(element, (inner) => inner.tag === 'ac:rich-text-body')
  if (body === undefined) return ''
  const text = blocks(body.children)
  const title = parameter('title')
  if (!/^(?:info|note|warning|tip|panel|expand)$/.test(name)) return text
  return quoted([title === undefined ? `**${name}**` : `**${title}**`, text].join('\n\n'))
}

const isInlineMacro = (element: MarkupElement): boolean =>
  element.tag === 'ac:structured-macro' && /^(?:status|jira|anchor)$/.test(element.attributes['ac:name'] ?? '')

function list(element: MarkupElement): string {
  const items = element.children.filter(
    (node): node is MarkupElement => typeof node !== 'string' && (node.tag === 'li' || node.tag === 'ac:task'),
  )
  return items
    .map((item, i) => {
      const isDone =
        item.tag === 'ac:task'
          ? textOf(find(item, (inner) => inner.tag === 'ac:task-status') ?? item).trim() === 'complete'
          : undefined
      const body = item.tag === 'ac:task' ? (find(item, (inner) => inner.tag === 'ac:task-body') ?? item) : item
      const mark = element.tag === 'ol' ? `${i + 1}. ` : isDone === undefined ? '- ' : isDone ? '- [x] ' : '- [ ] '
      return (
        mark +
        blocks(body.children)
          .replaceAll(/\n\n(?= {0,40}(?:[-*]|\d{1,9}\.) )/g, '\n')
          .replaceAll('\n', `\n${' '.repeat(element.tag === 'ol' ? mark.length : 2)}`)
      )
    })
    .join('\n')
}

const MOST_CELLS = 200_000

function table(element: MarkupElement): string {
  const rows = findAll(element, (inner) => inner.tag === 'tr').map((row) =>
    row.children
      .filter((node): node is MarkupElement => typeof node !== 'string' && /^t[dh]$/.test(node.tag))
      .map((cell) =>
        blocks(cell.children)
          .replaceAll('|', String.raw`\|`)
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .join(' '),
      ),
  )
  return markdownRows(rows, MOST_CELLS)
}

function inline(nodes: readonly Node[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node.replaceAll(/\s+/g, ' ') : inlineElement(node)))
    .join('')
    .split('\n')
    .map((line, i, lines) => (i < lines.length - 1 ? line.trimEnd() : line))
    .join('\n')
}

function inlineElement(element: MarkupElement): string {
  const { tag, attributes, children } = element
  if (tag === 'br') return '\n'
  if (SKIPPED.has(tag)) return ''
  if (tag === 'img') return attributes['alt'] ? `[image: ${attributes['alt']}]` : ''
  if (tag === 'ac:image')
    return `[image: ${find(element, (inner) => inner.tag === 'ri:attachment')?.attributes['ri:filename'] ?? 'picture'}]`
  if (tag === 'ac:link') return linkText(element)
  if (tag === 'ac:structured-macro') return textOf(element).trim()
  const text = inline(children)
  const bare = text.trim()
  if (bare === '') return text
  const around = (mark: string): string => text.replace(bare, () => `${mark}${bare}${mark}`)
  if (tag === 'strong' || tag === 'b') return around('**')
  if (tag === 'em' || tag === 'i') return around('*')
  if (tag === 's' || tag === 'del' || tag === 'strike') return around('~~')
  if (tag === 'code' || tag === 'kbd' || tag === 'samp' || tag === 'tt') return around('`')
  if (
    tag === 'a' &&
    /^(?:https?:|mailto:|\/|\.|#)?[^\s]+$/.test(attributes['href'] ?? '') &&
    !/^javascript:/i.test(attributes['href']!)
  )
    return `[${bare}](${attributes['href']})`
  return INLINE.has(tag) ? text : blocks([element])
}

/** Confluence links refer to a page by its title. */
function linkText(element: MarkupElement): string {
  const body = find(element, (inner) => inner.tag === 'ac:link-body' || inner.tag === 'ac:plain-text-link-body')
  const page = find(element, (inner) => inner.tag === 'ri:page')?.attributes['ri:content-title']
  const words = body === undefined ? undefined : textOf(body).trim()
  if (page === undefined)
    return words ?? find(element, (inner) => inner.tag === 'ri:attachment')?.attributes['ri:filename'] ?? ''
  return words === undefined || words === page ? `[[${page}]]` : `${words} ([[${page}]])`
}

/** Removes leading empty lines and trailing white space. */
const trimmed = (text: string): string => text.replace(/^\n+/, '').trimEnd()
const fenced = (code: string, language: string | undefined): string =>
  ['```' + (language ?? ''), trimmed(code), '```'].join('\n')
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
const textOf = (node: Node): string =>
  typeof node === 'string' ? node : node.tag === 'br' ? '\n' : node.children.map(textOf).join('')

function find(element: MarkupElement, fits: (element: MarkupElement) => boolean): MarkupElement | undefined {
  return findAll(element, fits)[0]
}

function findAll(element: MarkupElement, fits: (element: MarkupElement) => boolean): readonly MarkupElement[] {
  return element.children.flatMap((node) => (typeof node === 'string' ? [] : fits(node) ? [node] : findAll(node, fits)))
}
