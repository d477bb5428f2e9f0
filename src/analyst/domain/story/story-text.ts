import { table } from '../../../kernel/domain/view/table.ts'
import type { View } from '../../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../../kernel/domain/view/width.ts'
import { terminalChart } from '../chart/terminal-chart.ts'
import { figureSign, type Inline, type LaidBlock, type LaidTable, type TextBlock } from './story-blocks.ts'

/** Renders a story for a terminal: charts in characters, tables under their names, text at a readable width. */
export function storyText(blocks: readonly LaidBlock[], view: View): string {
  return blocks
    .map((block) => blockLines(block, view).join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')
}

const WIDEST_TEXT = 88

function blockLines(block: LaidBlock, view: View): string[] {
  switch (block.kind) {
    // A terminal is too narrow for side-by-side cells.
    case 'grid':
      return block.cells.flatMap((cell, at) => [...(at === 0 ? [] : ['']), storyText(cell, view)])
    case 'chart':
      return terminalChart(block.plot, view)
    case 'table':
      return tableLines(block, view)
    case 'problem':
      return wrapped(`[${block.text}]`, view).map((line) => view.mark('warning', line))
    default:
      return textLines(block, view)
  }
}

function tableLines({ title, columns, rows, note }: LaidTable, view: View): string[] {
  const shape = columns.map(({ isNumber }) => (isNumber ? { align: 'right' as const } : { shrinks: true }))
  const cells = [columns.map(({ name }) => name), ...rows.map((row) => row.map((cell) => cell ?? 'NULL'))]
  const [head = '', ...lines] = table(cells, shape, view)
  return [
    ...(title === '' ? [] : [view.mark('title', title)]),
    view.mark('dim', head),
    ...lines,
    ...(note === '' ? [] : [view.mark('dim', note)]),
  ]
}

const wrapped = (text: string, { width }: Pick<View, 'width'>): string[] =>
  width === Infinity
    ? text.split('\n')
    : text.split('\n').flatMap((line) => wrapWidth(line, Math.min(width, WIDEST_TEXT)))

function textLines(block: TextBlock, view: View): string[] {
  switch (block.kind) {
    case 'heading':
      return wrapped(`${'#'.repeat(block.level)} ${inlineText(block.inside)}`, view).map((line) =>
        view.mark('title', line),
      )
    case 'paragraph':
      return wrapped(inlineText(block.inside), view)
    case 'list':
      return block.items.flatMap((item, at) => {
        const mark = block.start === undefined ? '- ' : `${block.start + at}. `
        return indented(item, { first: mark, rest: ' '.repeat(mark.length) }, view)
      })
    case 'quote':
      return indented(block.blocks, { first: '> ', rest: '> ' }, view)
    case 'code':
      return block.text.split('\n').map((line) => `    ${line}`)
    case 'rule':
      return [view.mark('dim', '─'.repeat(Math.min(view.width, 40)))]
    case 'rows': {
      const [head = '', ...lines] = table(
        block.rows.map((row) => row.map(inlineText)),
        block.align.map((align) => (align === 'right' ? { align } : { shrinks: true })),
        view,
      )
      return [view.mark('dim', head), ...lines]
    }
  }
}

function indented(
  blocks: readonly TextBlock[],
  { first, rest }: { first: string; rest: string },
  view: View,
): string[] {
  const inner = { ...view, width: Math.max(20, view.width - first.length) }
  const lines = blocks.flatMap((block, at) => [
    ...(at > 0 && block.kind !== 'list' ? [''] : []),
    ...textLines(block, inner),
  ])
  return lines.map((line, at) => `${at === 0 ? first : rest}${line}`.trimEnd())
}

/** Renders inline text in its written form, without page-only features. */
function inlineText(inside: readonly Inline[]): string {
  return inside
    .map((one) => {
      switch (one.kind) {
        case 'text':
          return one.text
        case 'code':
          return `\`${one.text}\``
        case 'break':
          return '\n'
        case 'image':
          return `[image: ${one.alt === '' ? one.href : `${one.alt}, ${one.href}`}]`
        case 'link': {
          const text = inlineText(one.inside)
          return text === one.href ? text : `${text} (${one.href})`
        }
        case 'strong':
          return `**${inlineText(one.inside)}**`
        case 'emphasis':
          return `*${inlineText(one.inside)}*`
        case 'struck':
          return `~~${inlineText(one.inside)}~~`
        case 'figure':
          return `${inlineText(one.inside)}${figureSign(one)}`
      }
    })
    .join('')
}
