import { sha256 } from '../../../kernel/domain/sha256.ts'
import { lastState } from './compare-with-journal.ts'
import type { JournalEvent } from './event.ts'
import { formatEvent, type JournalLine, parseEvent, toLine } from './journal-lines.ts'
import { isVouchedFor, onTopOf, refuseBrokenLines, uniteJournals } from './unite-journals.ts'

/** The events of a change that imports lines: adoptions first, then the change itself. */
export interface TakingChange {
  readonly events: readonly JournalEvent[]
  /** True if the event of the change is written whatever the lines contain. */
  readonly isNoted: boolean
}

/**
 * A journal with lines imported from another machine, and the event of the change on top, unless the lines already
 * cover it. Throws if lines are broken.
 */
export function takeLines(
  here: readonly JournalLine[],
  taken: readonly string[],
  { events, isNoted }: TakingChange,
): readonly JournalLine[] {
  const own = events.slice(0, -1).reduce<readonly JournalLine[]>(withOnTop, here)
  const theirs = taken.map(lineOf)
  const united = uniteJournals(own, theirs)
  refuseBrokenLines(theirs, united)
  const change = events.at(-1)!
  return !isNoted && isVouchedFor(united, change.files) ? united : withOnTop(united, change)
}

/** Whether removing a missing file has any effect: if the journal, or an imported one, still lists it. */
export const isToldOf = (path: string, events: readonly JournalEvent[], taken: readonly string[]): boolean =>
  [events, taken.flatMap((line) => parseEvent(line) ?? [])].some((told) => typeof lastState(told, path) === 'string')

const withOnTop = (lines: readonly JournalLine[], event: JournalEvent): readonly JournalLine[] => [
  ...lines,
  lineOf(formatEvent(onTopOf(lines, event)).slice(0, -1)),
]

const lineOf = (text: string): JournalLine => toLine(text, sha256(text))
