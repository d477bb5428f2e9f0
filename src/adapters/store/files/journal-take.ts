import type { JournalEvent } from '../../../core/journal/event.ts'
import { formatEvent, toLine, type JournalLine } from '../../../core/journal/journal-lines.ts'
import { onTopOf, refuseBrokenLines, uniteJournals } from '../../../core/journal/unite-journals.ts'
import { judgeHead, seenJournal } from './inspect-journal.ts'
import type { Appended, JournalParts } from './journal-append.ts'
import { JOURNAL } from '../judge-journal.ts'
import { parseJournal } from './journal-file.ts'
import { sha256 } from '../record-text.ts'

/**
 * Lines of another machine among those that are here, and the event of the change on top of all, where there is one.
 * What only goes to the end is appended; otherwise the journal is written anew.
 */
export async function takeLines(
  { folder, head, inRepository }: JournalParts,
  taken: readonly string[],
  make: (united: readonly JournalLine[]) => JournalEvent | undefined,
): Promise<Appended> {
  const bytes = (await folder.readBytes(JOURNAL)) ?? Buffer.alloc(0)
  const here = parseJournal(bytes)
  const known = head.read()
  const { kind, gone } = await judgeHead(folder, here, { known: known?.seen.journal, inRepository })
  const lines = taken.map((text) => toLine(text, sha256(text)))
  const united = uniteJournals(here.lines, lines)
  refuseBrokenLines(lines, united)
  const event = make(united)
  const text =
    united.map((line) => `${line.text}\n`).join('') + (event === undefined ? '' : formatEvent(onTopOf(united, event)))
  const whole = Buffer.from(text)
  const isLonger = whole.subarray(0, bytes.length).equals(bytes)
  const more = whole.subarray(bytes.length).toString('utf8')
  return {
    append: isLonger && more !== '' ? { path: JOURNAL, offset: bytes.length, text: more } : undefined,
    ...(!isLonger && { rewrite: { path: JOURNAL, text, before: sha256(bytes) } }),
    end: seenJournal(parseJournal(whole)),
    lost: [...new Set([...(known?.lost ?? []), ...(kind === 'lost' ? gone : [])])],
  }
}
