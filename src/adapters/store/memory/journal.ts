import type { JournalEvent } from '../../../core/journal/event.ts'
import { formatEvent, toLine, type JournalLine } from '../../../core/journal/journal-lines.ts'
import { takeLines, type TakingChange } from '../../../core/journal/take-lines.ts'
import { eventsOf, onTopOf } from '../../../core/journal/unite-journals.ts'
import { sha256 } from '../../../core/sha256.ts'

/** A chained journal that lives as long as the process. */
export interface MemoryJournal {
  readonly events: readonly JournalEvent[]
  lines(): readonly JournalLine[]
  append(event: JournalEvent): void
  /** Takes lines in, with the events of the change that does. */
  take(taken: readonly string[], change: TakingChange): void
  replace(lines: readonly string[]): void
}

export function openMemoryJournal(given: readonly JournalEvent[]): MemoryJournal {
  const events: JournalEvent[] = [...given]
  // Made when a change needs them: a look at the past never does.
  let made: JournalLine[] | undefined
  // The last line, once it is known to hold all others.
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
