import { isTableRule, tableCells } from '../text/table-lines.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * First date in a text as an ISO day: 2024-03-01 (also with a time, slashes or dots), 1 March 2024, March 1, 2024,
 * 01/03/2024. If day and month are ambiguous, the first number is the day, as everywhere but in the United States.
 */
export function dateIn(text: string): string | undefined {
  const [, y, m, d] = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? []
  if (y !== undefined) return isoDay(Number(y), Number(m), Number(d))
  return namedMonth(text) ?? dayFirst(text)
}

/** Meaning of an ADR's date by its label; earlier kinds are better evidence of when it was decided. */
export const DATE_KINDS = ['decided', 'begun', 'changed'] as const
export type DateKind = (typeof DATE_KINDS)[number]

const LABELS: Readonly<Record<DateKind, RegExp>> = {
  decided:
    /^(?:date|(?:decision|approval|acceptance) date|date of (?:the )?(?:decision|approval)|date (?:decided|accepted|approved|adopted|completed|finished)|(?:decided|accepted|approved|adopted|ratified|agreed)(?: (?:on|at|date))?)$/,
  begun:
    /^(?:date (?:started|created|proposed|submitted|written|added)|(?:start|creation|submission|publication|initial) date|(?:created|started|proposed|submitted|opened|drafted|published|written|added|issued)(?: (?:on|at|date))?)$/,
  changed:
    /^(?:(?:date )?(?:last )?(?:modified|updated|changed|edited|revised|reviewed)(?: (?:on|at|date))?|last (?:change|update|modification|review|revision)(?: date)?|date (?:of )?last (?:change|update|modification)|(?:update|modification|revision) date)$/,
}

/** Kind of date that a label refers to: "Date started", "Created", "Last Modified". */
export function dateKind(label: string): DateKind | undefined {
  const name = label.toLowerCase().replace(/[-_]/g, ' ').trim()
  return DATE_KINDS.find((kind) => LABELS[kind].test(name))
}

const LABELLED =
  /^[\s>|#*_+-]*([A-Za-z][A-Za-z -]{2,24}?)[\s*_]*[:|–—-]?[\s|*_[(`]*((?:\d|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)).*)$/i

/** Labelled dates in the lines of a text, the first of each kind: `Created: 1 May 2023`, `* Date 2023-05-01`. */
export function labelledDates(lines: readonly string[]): ReadonlyMap<DateKind, string> {
  const found = new Map<DateKind, string>()
  for (const [label, value] of [...lines.flatMap(announced), ...labelledCells(lines)]) {
    const kind = dateKind(label)
    const date = dateIn(value)
    if (kind !== undefined && date !== undefined && !found.has(kind)) found.set(kind, date)
  }
  return found
}

// Characters; a labelled date is in a short line, and blanks in a long one would cause quadratic matching.
const LONGEST_LINE = 300

function announced(line: string): (readonly [string, string])[] {
  const [, label, value] = (line.length > LONGEST_LINE ? null : LABELLED.exec(line)) ?? []
  return label === undefined ? [] : [[label, value!]]
}

/** Cells below a row of headings: `| Status | Date |`, a rule, `| Accepted | 2023-05-01 |`. */
function labelledCells(lines: readonly string[]): (readonly [string, string])[] {
  return lines.flatMap((line, i) =>
    isTableRule(line) && line.includes('|')
      ? tableCells(lines[i - 1] ?? '').map(
          (label, at) => [label.replace(/\*/g, ''), tableCells(lines[i + 1] ?? '')[at] ?? ''] as const,
        )
      : [],
  )
}

/** Date at the start of a file name: `2024-03-01-title`, `20240301-title`; also later, after a separator. */
export function dateInName(name: string): string | undefined {
  const [, y, m, d] =
    /(?:^|[^0-9])(\d{4})-(\d{2})-(\d{2})(?![0-9])/.exec(name) ?? /^(\d{4})(\d{2})(\d{2})(?![0-9])/.exec(name) ?? []
  return y === undefined ? undefined : isoDay(Number(y), Number(m), Number(d))
}

function namedMonth(text: string): string | undefined {
  const month = MONTHS.join('|')
  const dayBefore = new RegExp(
    `\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)?[\\s-]+(${month})[a-z]*\\.?,?[\\s-]+(\\d{4})\\b`,
    'i',
  ).exec(text)
  if (dayBefore !== null) return isoDay(Number(dayBefore[3]), monthNumber(dayBefore[2]!), Number(dayBefore[1]))
  const dayAfter = new RegExp(`\\b(${month})[a-z]*\\.?[\\s-]+(\\d{1,2})(?:st|nd|rd|th)?,?[\\s-]+(\\d{4})\\b`, 'i').exec(
    text,
  )
  return dayAfter === null ? undefined : isoDay(Number(dayAfter[3]), monthNumber(dayAfter[1]!), Number(dayAfter[2]))
}

const monthNumber = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

function dayFirst(text: string): string | undefined {
  const [, first, second, third] = /\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b/.exec(text) ?? []
  if (first === undefined) return undefined
  const year = third!.length === 2 ? 2000 + Number(third) : Number(third)
  return isoDay(year, Number(second), Number(first)) ?? isoDay(year, Number(first), Number(second))
}

function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = year >= 1970 && year < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real ? date.toISOString().slice(0, 10) : undefined
}
