import { openCitation, withoutCitations } from '../../analyst/domain/citation/read-citations.ts'
import { isTableRule, tableCells } from '../../kernel/domain/text/table-lines.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { markProse } from '../../kernel/domain/view/mark-prose.ts'
import { table } from '../../kernel/domain/view/table.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import { displayWidth, wrapWidth } from '../../kernel/domain/view/width.ts'

export interface AnswerLines {
  /** Adds text; returns the completed lines, with formatting. */
  take(text: string): readonly string[]
  /** The incomplete line so far, without formatting. */
  partial(): string
  /** The remaining lines. */
  end(): readonly string[]
}

const WIDEST = 100

/** Converts a streamed Markdown text to terminal lines. */
export function openAnswerLines(view: View): AnswerLines {
  const width = Math.min(view.width, WIDEST)
  let line = ''
  let rows: string[] = []
  let isCode = false
  // Continuation lines are indented to the text of the first.
  let indent = ''
  // Part of a character or line end, kept until the rest arrives.
  let held = ''

  const tableLines = (): string[] => {
    const laid = rows.length === 0 ? [] : layTable(rows, view)
    rows = []
    return laid
  }
  const endLine = (written: string): string[] => {
    if (/^\s*(?:```|~~~)/.test(written)) {
      isCode = !isCode
      return [...tableLines(), view.mark('dim', written)]
    }
    if (isCode) return [view.mark('dim', written)]
    const whole = withoutCitations(written)
    if (indent === '' && /^\s*\|/.test(whole)) {
      rows.push(whole)
      return []
    }
    const before = tableLines()
    const text = `${indent}${whole}`.trimEnd()
    indent = ''
    return [...before, ...wrapped(text, width).map((one) => markProse(one, view))]
  }
  /** Full lines of a paragraph that no later text can change. */
  const fullLines = (): string[] => {
    if (isCode || width === Infinity || /^\s*(?:\||```|~~~|#)/.test(line)) return []
    line = withoutCitations(line)
    // Excludes a partial link, which would be split.
    const open = openCitation(line)
    const whole = line.slice(0, line.length - open.length)
    if (displayWidth(indent + whole) <= width) return []
    const [lines, hanging] = [wrapped(indent + whole, width), hangingIndent(indent + whole)]
    if (lines.length < 2) return []
    line = lines.pop()!.slice(hanging.length) + (/\s$/.test(whole) ? ' ' : '') + open
    indent = hanging
    return [...tableLines(), ...lines.map((one) => markProse(one, view))]
  }
  return {
    take(text) {
      const all = held + text
      held = /[\ud800-\udbff\r]$/.exec(all)?.[0] ?? ''
      const lines: string[] = []
      const [first = '', ...others] = visible(all.slice(0, all.length - held.length)).split('\n')
      line += first
      for (const next of others) {
        lines.push(...endLine(line))
        line = next
      }
      lines.push(...fullLines())
      return lines
    },
    partial: () => indent + (isCode ? line : shownSoFar(line)),
    end() {
      const lines = line === '' && held === '' ? [] : endLine(line + visible(held))
      lines.push(...tableLines())
      ;[line, held, indent, isCode] = ['', '', '', false]
      return lines
    },
  }
}

/** The line, with only the number of an incomplete link. */
function shownSoFar(line: string): string {
  const text = withoutCitations(line)
  const open = openCitation(text)
  if (!open.includes(']') && !open.startsWith('<')) return text
  return text.slice(0, text.length - open.length) + (/^\[([^\]]*)|>([^<]*)/.exec(open)?.slice(1).join('') ?? '')
}

/** The marker of a list or a quotation; continuation lines are aligned after it. */
const LEAD = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+|(?:>\s?)+)?/

const hangingIndent = (text: string): string => {
  const lead = LEAD.exec(text)?.[0] ?? ''
  return lead.includes('>') ? lead : ' '.repeat(displayWidth(lead))
}

function wrapped(text: string, width: number): string[] {
  if (width === Infinity || displayWidth(text) <= width) return [text]
  const lead = LEAD.exec(text)?.[0] ?? ''
  const hanging = hangingIndent(text)
  const lines = wrapWidth(text.slice(lead.length), Math.max(SHORTEST, width - displayWidth(lead)))
  return lines.map((one, at) => (at === 0 ? lead : hanging) + one)
}

const SHORTEST = 10

/** Aligns the columns of a Markdown table. */
function layTable(rows: readonly string[], view: View): string[] {
  const cells = rows.map(tableCells)
  const rule = isTableRule(rows[1] ?? '') ? cells[1] : undefined
  if (rule === undefined) return rows.map((row) => markProse(row, view))
  const columns = rule.map((sign, at) => ({
    ...((sign.endsWith(':') && !sign.startsWith(':')) || isNumeric(cells.slice(2), at)
      ? { align: 'right' as const }
      : {}),
    shrinks: true,
    tone: (row: number) => (row === 0 ? ('title' as const) : undefined),
  }))
  const plain = (cell: string): string => cell.replaceAll(/\*\*([^*]{1,300})\*\*/g, '$1')
  return table(
    cells.filter((_, at) => at !== 1).map((row) => columns.map((_, at) => plain(row[at] ?? ''))),
    columns,
    view,
    '  ',
  )
}

const isNumeric = (rows: readonly (readonly string[])[], at: number): boolean =>
  rows.length > 0 && rows.every((row) => /^[-+]?[$€£]?[\d.,\s]+%?$/.test(row[at] ?? ''))
