import type { Origin } from '../../../kernel/domain/origin.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { Changes } from '../draft.ts'
import { inListOrder } from '../record-path.ts'
import type { JournalEvent } from './event.ts'
import { formatEvent } from './journal-lines.ts'

export interface EventMaking {
  readonly origin: Origin
  readonly at: string
  id(): string
  sha256(text: string): string
}

export const makeEvent = (
  { origin, at, id }: Omit<EventMaking, 'sha256'>,
  { operation, facts, files }: Pick<JournalEvent, 'operation' | 'facts' | 'files'>,
): JournalEvent => ({ event_version: 1, id: id(), at, operation, origin, facts, files })

/** The event of a change. `found`: existing files that the journal covers from now on. */
export const changeEvent = (
  made: EventMaking,
  { texts, note }: Pick<Changes, 'texts' | 'note'>,
  found: Readonly<Record<string, string>> = {},
): JournalEvent => {
  const files = inListOrder(texts.keys()).map((path) => {
    const text = texts.get(path)
    return [path, text === undefined ? null : made.sha256(text)] as const
  })
  return makeEvent(made, {
    operation: note?.operation ?? 'edit',
    facts: note?.facts ?? {},
    files: { ...Object.fromEntries(files), ...found },
  })
}

/** Adds the event that adopts a record from elsewhere unchanged; from then on the journal covers it. */
export const withAdoption = (
  made: EventMaking,
  change: JournalEvent,
  present: Readonly<Record<string, string>>,
): JournalEvent[] => {
  const files = Object.keys(present).length
  return files === 0 ? [change] : [makeEvent(made, { operation: 'adopt', facts: { files }, files: present }), change]
}

/** The end of a journal: hashes of the lines not pinned yet, and the newest event. */
export interface JournalTip {
  readonly tips: readonly string[]
  readonly last: string | undefined
}

/** Lines to append to a journal, without line breaks: each follows the previous one and pins it. */
export function chainEvents(
  events: readonly JournalEvent[],
  { tips, last }: JournalTip,
): { readonly lines: readonly string[]; readonly tips: readonly string[] } {
  let [pins, after] = [tips, last]
  const lines = events.map((event) => {
    const line = formatEvent({ ...event, ...(after === undefined ? {} : { after: [after] }), pins }).slice(0, -1)
    ;[pins, after] = [[sha256(line)], event.id]
    return line
  })
  return { lines, tips: pins }
}
