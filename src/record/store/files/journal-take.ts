import { type TakingChange, takeLines } from '../../domain/journal/take-lines.ts'
import { JOURNAL } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { judgeHead, seenJournal } from './inspect-journal.ts'
import type { Appended, JournalParts } from './journal-append.ts'
import { parseJournal } from './journal-file.ts'

/** Merges lines of another machine into the journal. Appends if all go to the end; otherwise rewrites the journal. */
export async function takeIntoJournal(
  { folder, head, inRepository }: JournalParts,
  taken: readonly string[],
  make: (isFirst: boolean) => Promise<TakingChange>,
): Promise<Appended> {
  const bytes = (await folder.readBytes(JOURNAL)) ?? Buffer.alloc(0)
  const here = parseJournal(bytes)
  const known = head.read()
  const { kind, gone } = await judgeHead(folder, here, { known: known?.seen.journal, inRepository })
  const lines = takeLines(here.lines, taken, await make(here.events.length === 0))
  const text = lines.map((line) => `${line.text}\n`).join('')
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
