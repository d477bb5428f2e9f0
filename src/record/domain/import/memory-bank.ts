import { dateIn } from '../../../kernel/domain/adr/adr-date.ts'
import { stemOf } from '../../../kernel/domain/adr/adr-name.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { strip, ellipsis } from '../../../kernel/domain/text.ts'
import {
  hashHeadings,
  tooLargeToImport,
  plainLines,
  shiftHeadings,
  headingLines,
  plainRationale,
  plainText,
  splitBlocks,
  type Block,
} from '../../../kernel/domain/text/markdown.ts'
import type { Decision } from '../decision/decision.ts'
import { normalizeTitle } from '../decision/duplicate.ts'
import { LIMITS } from '../decision/screening.ts'
import { PROJECT, STACK } from '../files.ts'
import { type KnownRecord, assignNumbers, findTwin, importedDecision, unfaithful } from './placement.ts'
import type { SourceFile } from './plan.ts'

/** Result of importing a memory bank. Every file is in `used` or in `skipped`. */
export interface MemoryBankPlan {
  /** Texts to append to record files, each under its own heading. */
  readonly additions: readonly { readonly to: string; readonly text: string }[]
  readonly decisions: readonly { readonly decision: Decision; readonly source: string }[]
  readonly duplicates: readonly { readonly title: string; readonly of: number }[]
  /** One new state made of activeContext and progress; undefined when there is neither. */
  readonly state: string | undefined
  readonly used: readonly string[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
}

type Part = { readonly path: string; readonly name: string; readonly text: string }

const DESTINATIONS: Readonly<Record<string, string>> = {
  projectbrief: PROJECT,
  productcontext: PROJECT,
  techcontext: STACK,
  systempatterns: STACK,
}
const STATE_FILES = ['activecontext', 'progress']
const NO_ENTRIES =
  'it has no entry headed "## Decision: title" or "## [2025-01-31] title", and no line "[2025-01-31] - text"'

export function planMemoryBank(files: readonly SourceFile[], known: KnownRecord, today: string): MemoryBankPlan {
  const parts = files.flatMap(toPart)
  const logs = parts
    .filter(({ name }) => name === 'decisionlog')
    .map((part) => ({ part, entries: readDecisionLog(part.text) }))
  const entries = logs.flatMap((log) => log.entries)
  const placed = entries.filter((e) => unfaithful(e) === undefined)
  const twins = new Map(placed.map((e) => [e, findTwin({ ...e, status: 'active' }, known)]))
  const fresh = placed.filter((e) => twins.get(e) === undefined)
  const numbers = assignNumbers(
    fresh.map(() => undefined),
    known.taken,
  )
  const state = STATE_FILES.flatMap((name) => parts.filter((part) => part.name === name))
  const additions = parts.filter(({ name }) => name in DESTINATIONS)
  const used = [...additions, ...state, ...logs.filter((log) => log.entries.length > 0).map((log) => log.part)].map(
    ({ path }) => path,
  )
  return {
    additions: additions.map((part) => ({ to: DESTINATIONS[part.name]!, text: addition(part) })),
    decisions: fresh.map((e, i) => ({ source: e.source, decision: toDecision(e, numbers[i]!, today) })),
    duplicates: placed.flatMap((e) => (twins.get(e) === undefined ? [] : [{ title: e.title, of: twins.get(e)!.num }])),
    state: state.map(stateText).join('\n\n') || undefined,
    used: used.sort(),
    skipped: [
      ...files
        .filter(({ path }) => !used.includes(path))
        .map((file) => ({
          path: file.path,
          reason: whySkipped(
            file,
            logs.some((log) => log.part.path === file.path),
          ),
        })),
      ...entries.flatMap((e) =>
        ((fault) => (fault === undefined ? [] : [{ path: `decisionLog: ${e.title}`, reason: fault }]))(unfaithful(e)),
      ),
    ],
  }
}

function toPart({ path, text }: SourceFile): Part[] {
  const clean = tooLargeToImport(text ?? '') === undefined ? strip(hashHeadings(plainLines(text ?? ''))) : ''
  return clean === '' ? [] : [{ path, name: stemOf(path).toLowerCase().replace(/[-_ ]/g, ''), text: clean }]
}

function whySkipped({ text }: SourceFile, isLog: boolean): string {
  if (text === undefined) return 'it is not a Markdown file'
  const excess = tooLargeToImport(text)
  if (excess !== undefined) return excess
  if (strip(text) === '') return 'it is empty'
  return isLog ? NO_ENTRIES : 'the record has no place for it; take over by hand what matters'
}

const withoutTitle = (text: string): string => strip(text.replace(/^#\s[^\n]*\n*/, ''))

/** The whole text under one heading that names its origin; headings in the text move below that. */
const addition = ({ path, text }: Part): string =>
  `## Imported from Memory Bank (${path})\n\n${shiftHeadings(withoutTitle(text), 1)}\n`

const stateText = ({ name, text }: Part): string =>
  name === 'progress' ? `## Progress\n\n${shiftHeadings(withoutTitle(text), 1)}` : withoutTitle(text)

const toDecision = (entry: LogEntry, num: number, today: string): Decision =>
  importedDecision({
    num,
    title: entry.title,
    rationale: entry.rationale,
    date: entry.date ?? today,
    confidence: 'medium',
    rejected: [],
  })

/** Appends to a record file, never overwrites; appending the same text again changes nothing. */
export function appendOnce(existing: string | undefined, text: string): string | undefined {
  if (existing === undefined || strip(existing) === '') return text
  return existing.includes(strip(text)) ? undefined : `${existing.trimEnd()}\n\n${text}`
}

interface LogEntry {
  readonly title: string
  readonly rationale: string
  readonly date: string | undefined
  /** SHA-256 of its source text. */
  readonly source: string
}

const HEADING = /^(?:\[?(\d{4}-\d{2}-\d{2})(?:[T ][\d:.Z]+)?\]?\s*[:–—-]*\s*)?(decision\s*#?\d*\s*[:–—-]\s*)?(\S.*)$/i
const LINE = /^(?:[-*]\s+)?\[(\d{4}-\d{2}-\d{2})[^\]]*\]\s*[:–—-]*\s*(\S.*)$/

/**
 * The entries of a decision log: blocks headed `## Decision: title` or `## [2025-01-31] title`, otherwise lines
 * `[2025-01-31] - text`.
 */
function readDecisionLog(text: string): LogEntry[] {
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
