import { dateIn } from '../../../kernel/domain/adr/adr-date.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { ellipsis } from '../../../kernel/domain/text.ts'
import {
  type Block,
  headingLines,
  plainRationale,
  plainText,
  shiftHeadings,
  splitBlocks,
} from '../../../kernel/domain/text/markdown.ts'
import { normalizeTitle } from '../decision/duplicate.ts'
import { LIMITS } from '../decision/screening.ts'

export interface LogEntry {
  readonly title: string
  readonly rationale: string
  readonly date: string | undefined
  /** SHA-256 of its source text. */
  readonly source: string
}

const HEADING = /^(?:\[?(\d{4}-\d{2}-\d{2})(?:[T ][\d:.Z]+)?\]?\s*[:–—-]*\s*)?(decision\s*#?\d*\s*[:–—-]\s*)?(\S.*)$/i
const LINE = /^(?:[-*]\s+)?\[(\d{4}-\d{2}-\d{2})[^\]]*\]\s*[:–—-]*\s*(\S.*)$/

/**
 * The entries of a decision log: blocks headed `## Decision: title` or `## [2025-01-31] title`, else lines
 * `[2025-01-31] - text`.
 */
export function readDecisionLog(text: string): LogEntry[] {
  const level = Math.min(
    ...headingLines(text)
      .filter((h) => entryHeading(h.heading) !== undefined)
      .map((h) => h.level),
  )
  const blocks = level === Infinity ? [] : splitBlocks(text, level).blocks
  return distinct(blocks.length > 0 ? blocks.flatMap(fromBlock) : text.split('\n').flatMap(fromLine))
}

function fromBlock({ heading, text }: Block): LogEntry[] {
  const entry = entryHeading(heading)
  return entry === undefined ? [] : [toEntry(entry.title, entry.date, text)]
}

function fromLine(line: string): LogEntry[] {
  const [, date, words] = LINE.exec(line) ?? []
  return words === undefined ? [] : [toEntry(firstSentence(words), date, words)]
}

function entryHeading(heading: string): { title: string; date: string | undefined } | undefined {
  const [, date, word, title] = HEADING.exec(heading) ?? []
  return title === undefined || (date === undefined && word === undefined) ? undefined : { title, date }
}

function toEntry(heading: string, date: string | undefined, body: string): LogEntry {
  const title = ellipsis(plainText(heading).replace(/[.:]$/, ''), LIMITS.title)
  const said = /^\W*date\W+(.+)$/im.exec(body)?.[1]
  return {
    title,
    rationale: plainRationale([shiftHeadings(body, 0)]) || title,
    date: dateIn(date ?? said ?? ''),
    source: sha256(`${title}\n${body}`),
  }
}

const firstSentence = (text: string): string => text.split(/(?<=[\p{L}\p{N})`"][.!?])\s/u)[0]!

/** Entries that share a title are distinguished by their date, or numbered. */
function distinct(entries: readonly LogEntry[]): LogEntry[] {
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    const times = (seen.get(normalizeTitle(entry.title)) ?? 0) + 1
    seen.set(normalizeTitle(entry.title), times)
    if (times === 1) return entry
    const dated = entry.date === undefined ? '' : `${entry.title} (${entry.date})`
    const title = dated === '' || seen.has(normalizeTitle(dated)) ? `${entry.title} (${times})` : dated
    seen.set(normalizeTitle(title), 1)
    return { ...entry, title }
  })
}
