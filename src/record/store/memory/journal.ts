import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { formatEvent, toLine, type JournalLine } from '../../domain/journal/journal-lines.ts'
import { takeLines, type TakingChange } from '../../domain/journal/take-lines.ts'
import { eventsOf, onTopOf } from '../../domain/journal/unite-journals.ts'

/** A chained in-memory journal. */
export interface MemoryJournal {
  readonly events: readonly JournalEvent[]
  lines(): readonly JournalLine[]
  append(event: JournalEvent): void
  /** Merges lines, and adds the events of the change. */
  take(taken: readonly string[], change: TakingChange): void
  replace(lines: readonly string[]): void
}

export function openMemoryJournal(given: readonly JournalEvent[]): MemoryJournal {
  const events: JournalEvent[] = [...given]
  // Built when a change needs them: a view of the past never does.
  let made: JournalLine[] | undefined
  // The last line, once it is known to cover all others.
  let tip: JournalLine | undefined
  const lines = (): JournalLine[] => (made ??= events.map((event) => lineOf(JSON.stringify(event))))
  const set = (next: readonly JournalLine[]): void => {
    made = [...next]
    tip = undefined
    events.splice(0, events.length, ...eventsOf(next))
  }
  return {
    events,
    lines,
    append(event) {
      const chained =
        tip === undefined ? onTopOf(lines(), event) : { ...event, after: [tip.event!.id], pins: [tip.sha256] }
      tip = lineOf(formatEvent(chained).slice(0, -1))
      lines().push(tip)
      events.push(tip.event!)
    },
    take: (taken, change) => set(takeLines(lines(), taken, change)),
    replace: (texts) => set(texts.map(lineOf)),
  }
}

const lineOf = (text: string): JournalLine => toLine(text, sha256(text))
