import type { LaidBlock, LaidTable } from '../domain/story/story-blocks.ts'
import type { PagePrinter, PrintedStory } from '../ports/page-printer.ts'
import { printTable } from './print-table.ts'
import { plainText, printText } from './print-text.ts'
import { COLOURS, openSheet, shown, TEXT_SIZE, type Sheet, type Strip } from './sheet.ts'

/** Prints stories with pdfkit and the bundled fonts. */
export const pdfkitPrinter: PagePrinter = {
  async pdf(story) {
    const sheet = await openSheet(story)
    const [first, ...rest] = story.blocks
    const hasTitle = first?.kind === 'heading' && first.level === 1
    const title = { kind: 'heading', level: 1, inside: [{ kind: 'text', text: story.title }] } as const
    printText(sheet, hasTitle ? first : title, sheet.whole)
    for (const text of story.notices) printNote(sheet, text, { strip: sheet.whole, colour: COLOURS.warning })
    for (const block of hasTitle ? rest : story.blocks) print(sheet, block, { strip: sheet.whole, story })
    printEnd(sheet, story.lines)
    return sheet.finish()
  },
}

interface Place {
  readonly strip: Strip
  readonly story: PrintedStory
}

function print(sheet: Sheet, block: LaidBlock, place: Place): void {
  const { strip } = place
  if (block.kind === 'grid') printGrid(sheet, block, place)
  else if (block.kind === 'chart') printChart(sheet, block, place)
  else if (block.kind === 'table') printResult(sheet, block, strip)
  else if (block.kind === 'problem') printNote(sheet, block.text, { strip, colour: COLOURS.warning })
  else printText(sheet, block, strip)
}

function printChart(sheet: Sheet, block: Extract<LaidBlock, { kind: 'chart' }>, { strip, story }: Place): void {
  const picture = story.pictures.get(block)
  if (picture === undefined) return
  const { doc } = sheet
  const width = Math.min(strip.width, picture.width)
  const height = (width * picture.height) / picture.width
  sheet.need(height + 4)
  doc.image(picture.png, strip.x, doc.y, { width, height })
  doc.y += height + 8
  doc.x = strip.x
  for (const note of block.plot.notes) printNote(sheet, note, { strip, colour: COLOURS.soft })
}

function printResult(sheet: Sheet, { title, columns, rows, note }: LaidTable, strip: Strip): void {
  if (title !== '') {
    sheet.need(TEXT_SIZE * 7)
    sheet.doc
      .font('bold', TEXT_SIZE)
      .fillColor(COLOURS.ink)
      .text(shown(title), strip.x, sheet.doc.y, { width: strip.width })
    sheet.doc.y += 3
  }
  printTable(sheet, { head: columns.map(({ name, isNumber }) => ({ name, isRight: isNumber })), rows }, strip)
  if (note !== '') {
    sheet.doc.y -= 6
    printNote(sheet, note, { strip, colour: COLOURS.soft })
  }
}

function printNote(sheet: Sheet, text: string, { strip, colour }: { strip: Strip; colour: string }): void {
  sheet.need(14)
  sheet.doc.font('plain', 8).fillColor(colour).text(shown(text), strip.x, sheet.doc.y, { width: strip.width })
  sheet.doc.y += 8
}

const GUTTER = 14

/** Cells side by side if a row of them fits on a page; otherwise one below the other. */
function printGrid(sheet: Sheet, { columns, cells }: Extract<LaidBlock, { kind: 'grid' }>, place: Place): void {
  const { doc } = sheet
  const { strip } = place
  const width = (strip.width - GUTTER * (columns - 1)) / columns
  const stripOf = (at: number): Strip => ({ x: strip.x + at * (width + GUTTER), width })
  for (let from = 0; from < cells.length; from += columns) {
    const row = cells.slice(from, from + columns)
    const height = Math.max(...row.map((cell) => heightOf(sheet, cell, { ...place, strip: stripOf(0) })))
    if (height > sheet.bottom - doc.page.margins.top) {
      for (const cell of row) for (const block of cell) print(sheet, block, place)
      continue
    }
    sheet.need(height)
    const top = doc.y
    let lowest = top
    row.forEach((cell, at) => {
      doc.y = top
      for (const block of cell) print(sheet, block, { ...place, strip: stripOf(at) })
      lowest = Math.max(lowest, doc.y)
    })
    doc.y = lowest + 4
    doc.x = strip.x
  }
}

/**
 * Estimates the height of blocks, rather too high than too low: too little space would break a page in the middle of a
 * row.
 */
function heightOf(sheet: Sheet, blocks: readonly LaidBlock[], { strip, story }: Place): number {
  const { doc } = sheet
  const lines = (text: string, size: number): number => {
    doc.font('bold', size)
    return doc.heightOfString(shown(text), { width: strip.width, lineGap: 2.5 }) + size
  }
  return blocks.reduce((sum, block): number => {
    switch (block.kind) {
      case 'chart': {
        const picture = story.pictures.get(block)
        const width = Math.min(strip.width, picture?.width ?? 0)
        return (
          sum +
          (picture === undefined ? 0 : (width * picture.height) / picture.width + 12 + 22 * block.plot.notes.length)
        )
      }
      case 'heading':
        return sum + lines(plainText(block.inside), 20) + 20
      case 'paragraph':
        return sum + lines(plainText(block.inside), TEXT_SIZE)
      case 'problem':
        return sum + lines(block.text, TEXT_SIZE)
      case 'rule':
        return sum + 24
      // Long tables and other blocks that break across pages are not placed side by side.
      case 'table':
        return sum + (block.rows.length > 12 ? Infinity : 60 + tallest(block.rows) * block.rows.length)
      default:
        return Infinity
    }
  }, 0)
}

const tallest = (rows: LaidTable['rows']): number =>
  Math.max(0, ...rows.map((row) => Math.max(18, ...row.map((cell) => 12 * Math.ceil((cell?.length ?? 0) / 8)))))

function printEnd(sheet: Sheet, lines: readonly string[]): void {
  if (lines.length === 0) return
  const { doc, whole } = sheet
  sheet.gap(10)
  sheet.need(12 * lines.length + 10)
  sheet.rule(whole)
  doc.y += 8
  for (const line of lines) {
    doc.font('plain', 8).fillColor(COLOURS.soft).text(shown(line), whole.x, doc.y, { width: whole.width })
    doc.y += 2
  }
}
