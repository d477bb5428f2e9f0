import { figureSign, type Inline, type TextBlock } from '../domain/story/story-blocks.ts'
import { printTable } from './print-table.ts'
import { COLOURS, shown, TEXT_SIZE, type Sheet, type Strip } from './sheet.ts'

const LINE_GAP = 2.5
const SIZES = { 1: 20, 2: 14.5, 3: 12, 4: 10.5, 5: 10, 6: 10 } as const
const CODE_SIZE = 8.5
const INDENT = 16

function printTexts(sheet: Sheet, blocks: readonly TextBlock[], strip: Strip): void {
  for (const block of blocks) printText(sheet, block, strip)
}

export function printText(sheet: Sheet, block: TextBlock, strip: Strip): void {
  const { doc } = sheet
  switch (block.kind) {
    case 'heading': {
      const size = SIZES[block.level]
      sheet.gap(block.level < 3 ? 16 : 10)
      // A heading stays with the lines that follow it.
      sheet.need(size + 3 * TEXT_SIZE * 1.6)
      printRuns(sheet, runsOf(block.inside, { font: 'bold', size, colour: COLOURS.ink }), strip)
      doc.y += 5
      return
    }
    case 'paragraph':
      sheet.need(TEXT_SIZE * 1.6)
      printRuns(sheet, runsOf(block.inside, PLAIN), strip)
      doc.y += 7
      return
    case 'list':
      return printList(sheet, block, strip)
    case 'quote':
      return printQuote(sheet, block, strip)
    case 'code':
      return printCode(sheet, block.text, strip)
    case 'rule':
      sheet.gap(6)
      sheet.need(12)
      sheet.rule(strip)
      doc.y += 12
      return
    case 'rows': {
      const [head = [], ...rows] = block.rows.map((row) => row.map(plainText))
      const isRight = (x: number): boolean => block.align[x] === 'right'
      return printTable(sheet, { head: head.map((name, x) => ({ name, isRight: isRight(x) })), rows }, strip)
    }
  }
}

interface Run {
  readonly text: string
  readonly font: 'plain' | 'bold' | 'oblique' | 'mono'
  readonly size: number
  readonly colour: string
  readonly link?: string
  readonly strike?: boolean
}

type Look = Omit<Run, 'text'>

const PLAIN: Look = { font: 'plain', size: TEXT_SIZE, colour: COLOURS.ink }

function runsOf(inside: readonly Inline[], look: Look): Run[] {
  return inside.flatMap((one): Run[] => {
    switch (one.kind) {
      case 'text':
        return [{ ...look, text: shown(one.text) }]
      case 'code':
        return [{ ...look, font: 'mono', size: look.size * 0.88, text: shown(one.text) }]
      case 'break':
        return [{ ...look, text: '\n' }]
      case 'strong':
        return runsOf(one.inside, { ...look, font: 'bold' })
      case 'emphasis':
        return runsOf(one.inside, { ...look, font: look.font === 'bold' ? 'bold' : 'oblique' })
      case 'struck':
        return runsOf(one.inside, { ...look, strike: true })
      case 'link':
        return runsOf(one.inside, { ...look, colour: COLOURS.accent, link: one.href })
      case 'figure':
        return [...runsOf(one.inside, look), { ...look, colour: COLOURS.warning, text: shown(figureSign(one)) }]
      case 'image':
        return [
          {
            ...look,
            colour: COLOURS.soft,
            text: shown(`[image: ${one.alt === '' ? one.href : `${one.alt}, ${one.href}`}]`),
          },
        ]
    }
  })
}

export const plainText = (inside: readonly Inline[]): string =>
  runsOf(inside, PLAIN)
    .map(({ text }) => text)
    .join('')

/** Prints runs of different fonts as one flowing text, with page breaks as needed. */
function printRuns(sheet: Sheet, runs: readonly Run[], strip: Strip): void {
  const { doc } = sheet
  const written = runs.filter(({ text }) => text !== '')
  if (written.length === 0) return
  doc.x = strip.x
  written.forEach(({ text, font, size, colour, link, strike }, at) => {
    doc.font(font, size).fillColor(colour)
    const options = {
      width: strip.width,
      lineGap: LINE_GAP,
      continued: at < written.length - 1,
      // These options persist in continued text unless reset.
      link: link ?? null,
      underline: link !== undefined,
      strike: strike ?? false,
    }
    if (at === 0) doc.text(text, strip.x, doc.y, options)
    else doc.text(text, options)
  })
  doc.x = strip.x
}

function printList(sheet: Sheet, { start, items }: Extract<TextBlock, { kind: 'list' }>, strip: Strip): void {
  const { doc } = sheet
  const marks = items.map((_, at) => (start === undefined ? '•' : `${start + at}.`))
  doc.font('plain', TEXT_SIZE)
  const indent = Math.max(INDENT, doc.widthOfString(marks.at(-1) ?? '') + 6)
  const inner = { x: strip.x + indent, width: Math.max(60, strip.width - indent) }
  items.forEach((item, at) => {
    sheet.need(TEXT_SIZE * 1.6)
    const top = doc.y
    doc.font('plain', TEXT_SIZE).fillColor(COLOURS.soft).text(marks[at]!, strip.x, top, { lineBreak: false })
    doc.y = top
    printTexts(sheet, item, inner)
    if (doc.y === top) doc.y += TEXT_SIZE * 1.4
    doc.y -= 3
  })
  doc.y += 6
  doc.x = strip.x
}

function printQuote(sheet: Sheet, { blocks }: Extract<TextBlock, { kind: 'quote' }>, strip: Strip): void {
  const { doc } = sheet
  sheet.need(TEXT_SIZE * 1.6)
  const from = { page: sheet.pages() - 1, y: doc.y }
  printTexts(sheet, blocks, { x: strip.x + INDENT, width: Math.max(60, strip.width - INDENT) })
  const to = { page: sheet.pages() - 1, y: doc.y - 6 }
  for (let page = from.page; page <= to.page; page++) {
    doc.switchToPage(page)
    const top = page === from.page ? from.y : doc.page.margins.top
    const end = page === to.page ? to.y : sheet.bottom
    if (end > top)
      doc
        .strokeColor(COLOURS.line)
        .lineWidth(2)
        .moveTo(strip.x + 3, top)
        .lineTo(strip.x + 3, end)
        .stroke()
  }
  doc.y = to.y + 6
  doc.x = strip.x
}

/** Prints code line by line, so that it may continue across pages; a line that is too long wraps. */
function printCode(sheet: Sheet, code: string, strip: Strip): void {
  const { doc } = sheet
  doc.font('mono', CODE_SIZE)
  const height = CODE_SIZE * 1.45
  const most = Math.max(10, Math.floor((strip.width - 16) / doc.widthOfString('m')))
  const lines = shown(code)
    .split('\n')
    .flatMap((line) => cutAt(line, most))
  for (const [at, line] of lines.entries()) {
    sheet.need(height)
    const pad = at === 0 ? 4 : 0
    doc.rect(strip.x, doc.y, strip.width, height + pad + (at === lines.length - 1 ? 4 : 0)).fill(COLOURS.tint)
    const y = doc.y + pad
    doc
      .font('mono', CODE_SIZE)
      .fillColor(COLOURS.ink)
      .text(line === '' ? ' ' : line, strip.x + 8, y + 1.5, { lineBreak: false })
    doc.y = y + height
  }
  doc.y += 12
  doc.x = strip.x
}

function cutAt(line: string, most: number): string[] {
  const parts: string[] = []
  const letters = [...line]
  for (let at = 0; at < letters.length || at === 0; at += most) parts.push(letters.slice(at, at + most).join(''))
  return parts
}
