import { closesFence, fenceOpening } from '../../../kernel/domain/text/markdown-fences.ts'
import { isTableRule } from '../../../kernel/domain/text/table-lines.ts'
import { type TextLines, readLines } from '../../../kernel/domain/text/text-lines.ts'
import { headingPath, type BreakPlan, type LineRange, type Chunk, cutChunks } from './cut-chunks.ts'

/** Chunks of a Markdown document, each with the headings above it. */
export function chunkMarkdown(text: string): Chunk[] {
  const lines = readLines(text)
  return cutChunks(lines, markdownPlan(lines))
}

/** Cut points in Markdown: best before headings; fences, tables and frontmatter stay whole while they fit. */
export function markdownPlan(lines: TextLines, range: LineRange = { from: 0, to: lines.count }): BreakPlan {
  const marks = markLines(lines, range)
  const at = (line: number) => marks[line - range.from]
  return {
    score: (line) => at(line)?.score ?? 0,
    opens: (line) => at(line)?.opens ?? false,
    heading: (line) => at(line)?.heading ?? '',
  }
}

interface Mark {
  readonly score: number
  readonly opens: boolean
  readonly heading: string
}

/** Score of a cut before a line, by the kind of line. */
const SCORE = {
  headings: [100, 90, 80, 70, 70, 70],
  block: 80,
  rule: 60,
  afterBlank: 30,
  item: 5,
  text: 1,
  blank: 0.5,
  inside: 0,
}

function markLines(lines: TextLines, range: LineRange): Mark[] {
  const marks: Mark[] = []
  const path: string[] = []
  let heading = ''
  let afterBlank = true
  const mark = (score: number, opens = false) => marks.push({ score, opens, heading })

  for (let number = range.from; number < range.to;) {
    const line = lines.line(number)
    const block = blockAt(lines, number, range)
    if (block > 0) {
      mark(SCORE.block, true)
      for (let inner = 1; inner < block; inner++) mark(SCORE.inside)
      number += block
      afterBlank = true
      continue
    }
    const title = headingAt(lines, number, { afterBlank, range })
    if (title) {
      path.length = Math.min(path.length, title.level - 1)
      while (path.length < title.level - 1) path.push('')
      path.push(title.text)
      heading = headingPath(path.filter((name) => name !== ''))
      mark(SCORE.headings[title.level - 1]!, true)
      for (let inner = 1; inner < title.lines; inner++) mark(SCORE.inside)
      number += title.lines
      afterBlank = true
      continue
    }
    mark(lineScore(line, afterBlank))
    afterBlank = line.trim() === ''
    number++
  }
  return marks
}

function lineScore(line: string, afterBlank: boolean): number {
  if (line.trim() === '') return SCORE.blank
  if (RULE.test(line)) return SCORE.rule
  if (ITEM.test(line)) return SCORE.item
  if (!afterBlank) return SCORE.text
  return /^\s/.test(line) ? SCORE.item : SCORE.afterBlank
}

const RULE = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$/
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/

interface Heading {
  readonly level: number
  readonly text: string
  readonly lines: number
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/

function headingAt(
  lines: TextLines,
  number: number,
  { afterBlank, range }: { afterBlank: boolean; range: LineRange },
): Heading | undefined {
  const line = lines.line(number)
  const atx = ATX.exec(line)
  if (atx) return { level: atx[1]!.length, text: titleText(atx[2] ?? '').replace(/(?:^|[ \t]+)#+$/, ''), lines: 1 }
  // Only a one-line paragraph is treated as an underlined heading; longer ones are nearly always text above a rule.
  if (!afterBlank || number + 1 >= range.to || !/^ {0,3}\S/.test(line) || ITEM.test(line) || RULE.test(line))
    return undefined
  const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines.line(number + 1))?.[1]
  if (underline === undefined) return undefined
  return { level: underline.startsWith('=') ? 1 : 2, text: titleText(line), lines: 2 }
}

const titleText = (text: string) => text.trim().slice(0, LONGEST_TITLE).trim()

const LONGEST_TITLE = 200

/** Number of lines of the fence, table or frontmatter that begins here; 0 if none does. */
function blockAt(lines: TextLines, number: number, range: LineRange): number {
  const line = lines.line(number)
  if (number === 0 && line === '---') return frontmatterLength(lines, range)
  const fence = fenceOpening(line)
  // A backtick fence with more backticks after it is inline code.
  if (fence !== undefined && !(fence.mark.startsWith('`') && fence.info.includes('`')))
    return fenceLength(lines, number, { range, mark: fence.mark })
  const next = number + 1
  if (line.includes('|') && next < range.to && isTableRule(lines.line(next)) && lines.line(next).includes('|')) {
    let end = next + 1
    while (end < range.to && lines.line(end).includes('|')) end++
    return end - number
  }
  return 0
}

function frontmatterLength(lines: TextLines, range: LineRange): number {
  for (let end = 1; end < range.to; end++) if (/^(?:---|\.\.\.)[ \t]*$/.test(lines.line(end))) return end + 1
  return 0
}

/**
 * Number of lines of a fence. Fences may have any indent, because those in list items are indented; an unclosed fence
 * extends to the end, as in a renderer.
 */
function fenceLength(lines: TextLines, number: number, { range, mark }: { range: LineRange; mark: string }): number {
  for (let end = number + 1; end < range.to; end++) {
    if (closesFence(lines.line(end).trim(), mark)) return end + 1 - number
  }
  return range.to - number
}
