import { escapeHtml, lonePage, pageText } from '../../../kernel/domain/lone-page.ts'
import {
  figureSign,
  plainInline,
  type Inline,
  type LaidBlock,
  type LaidChart,
  type LaidTable,
  type TextBlock,
} from './story-blocks.ts'
import { STORY_STYLE } from './story-style.ts'

export interface StoryPage {
  readonly title: string
  /** Notes for the reader about the story's data, e.g. its date. */
  readonly lines: readonly string[]
  /** Notices about its numbers, shown at the top. */
  readonly notices: readonly string[]
  readonly blocks: readonly LaidBlock[]
  /** Each chart as SVG, for both colour schemes. */
  readonly pictures: ReadonlyMap<LaidChart, { readonly light: string; readonly dark: string }>
}

/**
 * One self-contained, inert HTML file: it makes no request, runs no script, and uses only its own style. All text in it
 * is escaped.
 */
export function storyPage({ title, lines, notices, blocks, pictures }: StoryPage): string {
  const hasOwnTitle = blocks[0]?.kind === 'heading' && blocks[0].level === 1
  const [first, ...rest] = blocks.map((block) => blockHtml(block, pictures))
  const top = notices.map((notice) => `<p class="problem">${pageText(notice)}</p>`)
  const body = hasOwnTitle
    ? [first!, ...top, ...rest]
    : [`<h1>${pageText(title)}</h1>`, ...top, ...(first === undefined ? [] : [first]), ...rest]
  return lonePage({
    title,
    generator: 'ken story',
    style: STORY_STYLE,
    body: `<main>
${body.join('\n')}
</main>
<footer>
${lines.map((line) => `<p>${pageText(line)}</p>`).join('\n')}
</footer>`,
  })
}

function blockHtml(block: LaidBlock, pictures: StoryPage['pictures']): string {
  if (block.kind === 'grid') {
    const cells = block.cells.map((cell) => `<div>${cell.map((one) => blockHtml(one, pictures)).join('\n')}</div>`)
    return `<div class="grid cols-${block.columns}">\n${cells.join('\n')}\n</div>`
  }
  if (block.kind === 'chart') return chartHtml(block, pictures)
  if (block.kind === 'table') return tableHtml(block)
  if (block.kind === 'problem') return `<p class="problem">${pageText(sentence(block.text))}</p>`
  return textHtml(block)
}

const sentence = (line: string): string =>
  `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? '' : '.'}`

function chartHtml(block: LaidChart, pictures: StoryPage['pictures']): string {
  const drawn = pictures.get(block)
  if (drawn === undefined) return ''
  const notes = block.plot.notes.map((note) => `<figcaption>${pageText(note)}</figcaption>`).join('')
  return `<figure class="chart">
<div class="light">${inlineSvg(drawn.light)}</div>
<div class="dark">${inlineSvg(drawn.dark)}</div>
${notes}</figure>`
}

/**
 * Turns inline styles into attributes, which have the same effect: styles would need a content security policy that
 * allows all of them.
 */
function inlineSvg(svg: string): string {
  const bare = svg.replaceAll(/ style="([^"]*)"/g, (_, style: string) =>
    style
      .split(';')
      .map((one) => /^\s*([a-z-]+)\s*:\s*(.+?)\s*$/.exec(one))
      .map((one) => (one === null ? '' : ` ${one[1]}="${one[2]}"`))
      .join(''),
  )
  // Charts are drawn by Ken, with text escaped. A painter that does not escape must not bring a script onto the page.
  const isPlain = [...bare.matchAll(/<[^>]*>/g)].every(
    ([tag]) => !/^<\/?(?:script|foreignobject|iframe|a|image|use|style)\b|\son[a-z]+\s*=|href\s*=/i.test(tag),
  )
  return isPlain ? bare : '<p class="problem">This chart cannot be shown safely.</p>'
}

function tableHtml({ title, columns, rows, note }: LaidTable): string {
  const align = columns.map(({ isNumber }) => (isNumber ? ' class="right"' : ''))
  const head = columns.map(({ name }, x) => `<th scope="col"${align[x]}>${pageText(name)}</th>`).join('')
  const body = rows.map(
    (row) =>
      `<tr>${row.map((cell, x) => `<td${cell === null ? ' class="null"' : align[x]}>${cell === null ? '∅' : pageText(cell)}</td>`).join('')}</tr>`,
  )
  return `<figure class="table">
${title === '' ? '' : `<figcaption>${pageText(title)}</figcaption>\n`}<div class="scroll"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>
${note === '' ? '' : `<p class="note">${pageText(note)}</p>\n`}</figure>`
}

function textHtml(block: TextBlock): string {
  const many = (blocks: readonly TextBlock[]): string => blocks.map(textHtml).join('\n')
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.inside)}</h${block.level}>`
    case 'paragraph':
      return `<p>${inlineHtml(block.inside)}</p>`
    case 'list': {
      const tag = block.start === undefined ? 'ul' : 'ol'
      const start = block.start === undefined || block.start === 1 ? '' : ` start="${block.start}"`
      return `<${tag}${start}>\n${block.items.map((item) => `<li>${itemHtml(item)}</li>`).join('\n')}\n</${tag}>`
    }
    case 'quote':
      return `<blockquote>\n${many(block.blocks)}\n</blockquote>`
    case 'code':
      return `<pre><code>${pageText(block.text)}</code></pre>`
    case 'rule':
      return '<hr>'
    case 'rows':
      return rowsHtml(block)
  }
}

/** Renders a list item; the first paragraph without `<p>`, so that an item of one paragraph has no gap to the next. */
const itemHtml = ([first, ...rest]: readonly TextBlock[]): string => {
  const head = first === undefined ? '' : first.kind === 'paragraph' ? inlineHtml(first.inside) : textHtml(first)
  return [head, ...rest.map(textHtml)].join('\n')
}

function rowsHtml({ align, rows }: Extract<TextBlock, { kind: 'rows' }>): string {
  const cells = (row: (typeof rows)[number], tag: 'th' | 'td'): string =>
    row
      .map((cell, x) => `<${tag}${align[x] === 'left' ? '' : ` class="${align[x]}"`}>${inlineHtml(cell)}</${tag}>`)
      .join('')
  const [head = [], ...body] = rows
  return `<div class="scroll"><table>
<thead><tr>${cells(head, 'th')}</tr></thead>
<tbody>
${body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}
</tbody>
</table></div>`
}

/** Renders a link with its target, which the link text may hide. */
function outsideLink({ href, inside }: Extract<Inline, { kind: 'link' }>): string {
  const isSaid = plainInline(inside).trim() === href
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${inlineHtml(inside)}</a>${isSaid ? '' : ` (${pageText(href)})`}`
}

function figureHtml(figure: Extract<Inline, { kind: 'figure' }>): string {
  const sign = figureSign(figure)
  const told = [figure.place, sign === '' ? (figure.note ?? '') : ''].filter((part) => part !== '').join(': ')
  const title = told === '' ? '' : ` title="${pageText(told)}"`
  const mark = sign === '' ? '' : `<span class="doubt">${pageText(sign)}</span>`
  return `<span class="figure"${title}>${inlineHtml(figure.inside)}</span>${mark}`
}

const TAGS = { strong: 'strong', emphasis: 'em', struck: 's' } as const

function inlineHtml(inside: readonly Inline[]): string {
  return inside
    .map((one) => {
      switch (one.kind) {
        case 'text':
          return pageText(one.text)
        case 'code':
          return `<code>${pageText(one.text)}</code>`
        case 'break':
          return '<br>'
        case 'link':
          return outsideLink(one)
        case 'figure':
          return figureHtml(one)
        case 'image':
          return `<span class="image">[image: ${pageText(one.alt === '' ? one.href : `${one.alt}, ${one.href}`)}]</span>`
        default:
          return `<${TAGS[one.kind]}>${inlineHtml(one.inside)}</${TAGS[one.kind]}>`
      }
    })
    .join('')
}
