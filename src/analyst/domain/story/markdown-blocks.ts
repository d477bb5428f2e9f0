import { closesFence, fenceOpening } from '../../../kernel/domain/text/markdown-fences.ts'
import { tableCells } from '../../../kernel/domain/text/table-lines.ts'
import { readInline } from './markdown-inline.ts'
import type { Align, TextBlock } from './story-blocks.ts'

/**
 * Parses the subset of Markdown used in stories: headings, paragraphs, lists, quotes, code, rules and tables. HTML is
 * plain text. Runs in time linear in the text, regardless of nesting.
 */
export const readMarkdown = (text: string): readonly TextBlock[] => readLines(text.split('\n'), 0)

// Each level reads its lines once more; deeper levels become plain text.
const DEEPEST = 6

function readLines(lines: readonly string[], depth: number): TextBlock[] {
  const blocks: TextBlock[] = []
  let paragraph: string[] = []
  const settle = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inside: readInline(paragraph.join('\n')) })
    paragraph = []
  }
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') {
      settle()
      at++
      continue
    }
    const found = readBlock(lines, at, { depth, isInParagraph: paragraph.length > 0 })
    if (found === undefined) {
      paragraph.push(line.replace(/^\s+/, ''))
      at++
      continue
    }
    // A line of = or - below a text makes it a heading.
    if (found.underlines !== undefined && paragraph.length > 0) {
      blocks.push({ kind: 'heading', level: found.underlines, inside: readInline(paragraph.join(' ')) })
      paragraph = []
    } else {
      settle()
      if (found.block !== undefined) blocks.push(found.block)
    }
    at = found.end
  }
  settle()
  return blocks
}

interface Found {
  readonly block: TextBlock | undefined
  /** Index of the line after the block. */
  readonly end: number
  readonly underlines?: 1 | 2
}

function readBlock(
  lines: readonly string[],
  at: number,
  { depth, isInParagraph }: { depth: number; isInParagraph: boolean },
): Found | undefined {
  const line = lines[at]!
  const fence = fenceOpening(line)
  if (fence !== undefined && !(fence.mark.startsWith('`') && fence.info.includes('`')))
    return readCode(lines, at, fence)
  const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line)
  if (heading !== null) {
    const level = heading[1]!.length as 1 | 2 | 3 | 4 | 5 | 6
    return { block: { kind: 'heading', level, inside: readInline(withoutHashes(heading[2] ?? '')) }, end: at + 1 }
  }
  if (isInParagraph && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line))
    return { block: undefined, end: at + 1, underlines: line.includes('=') ? 1 : 2 }
  if (isRule(line)) return { block: { kind: 'rule' }, end: at + 1 }
  if (depth < DEEPEST && /^ {0,3}>/.test(line)) return readQuote(lines, at, depth)
  const item = itemOf(line)
  if (depth < DEEPEST && item !== undefined && !(isInParagraph && item.number !== undefined && item.number !== 1))
    return readList(lines, at, depth)
  return isInParagraph ? undefined : readRows(lines, at)
}

/** Removes the closing hashes of `# Title ##`. Scans from the end, because a pattern would rescan every run. */
function withoutHashes(text: string): string {
  const trimmed = text.trim()
  let end = trimmed.length
  while (end > 0 && trimmed[end - 1] === '#') end--
  return end === 0 || end === trimmed.length || !/\s/.test(trimmed[end - 1]!)
    ? end === 0
      ? ''
      : trimmed
    : trimmed.slice(0, end).trim()
}

function isRule(line: string): boolean {
  const marks = line.replaceAll(/[ \t]/g, '')
  return (
    /^ {0,3}\S/.test(line) && marks.length >= 3 && '-*_'.includes(marks[0]!) && marks === marks[0]!.repeat(marks.length)
  )
}

function readCode(
  lines: readonly string[],
  at: number,
  { mark, indent, info }: { mark: string; indent: string; info: string },
): Found {
  let end = at + 1
  while (end < lines.length && !closesFence(lines[end]!.trim(), mark)) end++
  const strip = (line: string): string => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart())
  const text = lines
    .slice(at + 1, end)
    .map(strip)
    .join('\n')
  return { block: { kind: 'code', language: info.trim().split(/\s/)[0]!.slice(0, 40), text }, end: end + 1 }
}

function readQuote(lines: readonly string[], at: number, depth: number): Found {
  const inside: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    const quoted = /^ {0,3}> ?/.exec(line)
    if (quoted !== null) inside.push(line.slice(quoted[0].length))
    // A paragraph in a quote may continue without the quote mark.
    else if (line.trim() !== '' && inside.at(-1)?.trim() !== '' && !startsBlock(line)) inside.push(line)
    else break
  }
  return { block: { kind: 'quote', blocks: readLines(inside, depth + 1) }, end }
}

const startsBlock = (line: string): boolean =>
  fenceOpening(line) !== undefined ||
  /^ {0,3}(?:#{1,6}(?:\s|$)|>)/.test(line) ||
  isRule(line) ||
  itemOf(line) !== undefined

interface Item {
  readonly indent: number
  /** Column at which the item's text starts. */
  readonly text: number
  readonly mark: string
  readonly number: number | undefined
}

function itemOf(line: string): Item | undefined {
  const found = /^( {0,12})([-*+]|(\d{1,9})[.)])([ \t]{1,4}|$)/.exec(line)
  if (found === null || isRule(line)) return undefined
  const [whole, indent, mark, digits] = found
  return {
    indent: indent!.length,
    text: whole.length,
    mark: digits === undefined ? mark! : mark!.at(-1)!,
    number: digits === undefined ? undefined : Number(digits),
  }
}

/** Reads list items of one kind; lines indented below an item belong to it. */
function readList(lines: readonly string[], at: number, depth: number): Found {
  const first = itemOf(lines[at]!)!
  const items: TextBlock[][] = []
  let own: string[] = []
  let text = first.text
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    const item = itemOf(line)
    const indent = line.length - line.trimStart().length
    if (item !== undefined && item.indent < Math.max(text, first.indent + 2) && item.indent <= first.indent + 1) {
      if (item.mark !== first.mark || item.indent < first.indent) break
      if (own.length > 0) items.push(readLines(own, depth + 1))
      own = [line.slice(item.text)]
      text = item.text
    } else if (line.trim() === '') {
      const next = nextWritten(lines, end)
      if (next === undefined || !belongs(next, first)) break
      own.push('')
    } else if (indent >= Math.min(text, first.indent + 2)) own.push(line.slice(Math.min(indent, text)))
    // A paragraph may continue at the margin.
    else if (own.at(-1) !== '' && !startsBlock(line)) own.push(line)
    else break
  }
  if (own.length > 0) items.push(readLines(own, depth + 1))
  return { block: { kind: 'list', start: first.number, items }, end }
}

/**
 * Returns the next non-empty line, past at most one empty line: two of them end a list, which keeps the search short.
 */
const nextWritten = (lines: readonly string[], at: number): string | undefined =>
  [lines[at + 1], lines[at + 2]].find((line) => line !== undefined && line.trim() !== '')

function belongs(line: string, first: Item): boolean {
  const item = itemOf(line)
  if (item !== undefined && item.indent >= first.indent)
    return item.mark === first.mark || item.indent > first.indent + 1
  return line.length - line.trimStart().length >= first.indent + 2
}

/** Reads a table: a head, a line of dashes, rows. */
function readRows(lines: readonly string[], at: number): Found | undefined {
  const [head, dashes] = [lines[at]!, lines[at + 1] ?? '']
  if (!head.includes('|') || !dashes.includes('-') || !/^[\s|:-]+$/.test(dashes)) return undefined
  const align = tableCells(dashes).map(alignOf)
  const names = tableCells(head)
  if (names.length !== align.length || align.includes(undefined)) return undefined
  const rows = [names]
  let end = at + 2
  for (; end < lines.length && lines[end]!.trim() !== '' && lines[end]!.includes('|'); end++)
    rows.push(padded(tableCells(lines[end]!), names.length))
  return { block: { kind: 'rows', align: align as Align[], rows: rows.map((row) => row.map(readInline)) }, end }
}

const padded = (cells: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, x) => cells[x] ?? '')

function alignOf(dashes: string): Align | undefined {
  if (!/^:?-+:?$/.test(dashes)) return undefined
  if (dashes.endsWith(':')) return dashes.startsWith(':') ? 'center' : 'right'
  return 'left'
}
