import type { PDFDocument } from 'pdfkit'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { bundledFont } from '../../kernel/system/bundled-font.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'

export const COLOURS = {
  ink: '#1d1c1a',
  soft: '#5c5952',
  line: '#d8d5ce',
  tint: '#f4f2ec',
  accent: '#0b6b62',
  warning: '#9a3412',
} as const

export const TEXT_SIZE = 10
const MARGINS = { top: 56, bottom: 64, left: 56, right: 56 }

/** A horizontal strip of the page: start and width. */
export interface Strip {
  readonly x: number
  readonly width: number
}

/** The pages of one PDF, filled from top to bottom. */
export interface Sheet {
  readonly doc: PDFDocument
  readonly whole: Strip
  /** The lowest position at which text may be written. */
  readonly bottom: number
  /** Starts a new page unless this much space is left. */
  need(height: number): void
  /** Space below the last content; none at the top of a page. */
  gap(height: number): void
  /** A thin line across the strip, at the current position. */
  rule(strip: Strip): void
  pages(): number
  finish(): Promise<Uint8Array>
}

export async function openSheet({ title, at }: { title: string; at: Date }): Promise<Sheet> {
  const pdfkit = await loadOptional<typeof import('pdfkit')>('pdfkit')
  const [plain, bold, oblique, mono] = await Promise.all([
    bundledFont('DejaVuSansCondensed'),
    bundledFont('DejaVuSansCondensed-Bold'),
    bundledFont('DejaVuSansCondensed-Oblique'),
    bundledFont('DejaVuSansMono'),
  ])
  const doc = new pdfkit.PDFDocument({
    size: 'A4',
    margins: MARGINS,
    bufferPages: true,
    // Otherwise pdfkit would open a default font that is not in the package.
    font: plain,
    displayTitle: true,
    info: { Title: shown(title), Creator: 'Ken', Producer: 'Ken', CreationDate: at },
  })
  for (const [name, data] of Object.entries({ plain, bold, oblique, mono })) doc.registerFont(name, data)
  const chunks: Uint8Array[] = []
  const written = new Promise<void>((done, failed) => {
    doc.on('data', (chunk) => chunks.push(chunk))
    doc.on('end', done)
    doc.on('error', failed)
  })
  const whole = { x: MARGINS.left, width: doc.page.width - MARGINS.left - MARGINS.right }
  const bottom = doc.page.height - MARGINS.bottom
  const need = (height: number): void => {
    if (doc.y + height > bottom && doc.y > MARGINS.top) doc.addPage()
  }
  return {
    doc,
    whole,
    bottom,
    need,
    gap(height) {
      if (doc.y > MARGINS.top) doc.y += height
    },
    rule(strip) {
      doc
        .strokeColor(COLOURS.line)
        .lineWidth(0.7)
        .moveTo(strip.x, doc.y)
        .lineTo(strip.x + strip.width, doc.y)
        .stroke()
    },
    pages: () => doc.bufferedPageRange().count,
    async finish() {
      numberPages(doc, shown(title))
      doc.end()
      await written
      return Buffer.concat(chunks)
    },
  }
}

/** Escapes invisible characters, and expands tabs to four spaces. */
export const shown = (text: string): string => visible(text).replaceAll('\t', '    ')

function numberPages(doc: PDFDocument, title: string): void {
  const { count } = doc.bufferedPageRange()
  const short = title.length > 80 ? `${title.slice(0, 79)}…` : title
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    // Otherwise text in the margin would start a new page.
    doc.page.margins.bottom = 0
    doc.font('plain', 8).fillColor(COLOURS.soft)
    const y = doc.page.height - 40
    const width = doc.page.width - MARGINS.left - MARGINS.right
    doc.text(short.replaceAll('\n', ' '), MARGINS.left, y, {
      width: width - 60,
      lineBreak: false,
      height: 12,
      ellipsis: true,
    })
    doc.text(`${page + 1} / ${count}`, MARGINS.left, y, { width, align: 'right', lineBreak: false })
  }
}
