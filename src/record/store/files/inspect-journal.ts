import { hasConflictMarkers, withoutMarkers } from '../../domain/conflict-markers.ts'
import { headOf, type JournalHead } from '../../domain/journal/chain.ts'
import { JOURNAL, type HeadVerdict, type JournalReading } from '../judge-journal.ts'
import { committed, staged } from './git-copies.ts'
import { parseJournal } from './journal-file.ts'
import type { RecordFolder } from './record-folder.ts'

/**
 * Git changes the journal of a repository: a checkout restores an older one, a pull a longer one. A journal that git
 * contains is not a loss.
 */
export async function judgeHead(
  folder: RecordFolder,
  journal: JournalReading,
  { known, inRepository }: { known: JournalHead | undefined; inRepository: boolean },
): Promise<HeadVerdict> {
  const present = new Set(journal.lines.map((line) => line.sha256))
  if (known === undefined) {
    const missing = inRepository ? (await linesOfGit(folder)).filter((sha256) => !present.has(sha256)) : []
    return { kind: missing.length === 0 ? 'new' : 'lost', gone: missing }
  }
  const gone = known.tips.filter((tip) => !present.has(tip))
  if (gone.length === 0)
    return { kind: known.lines === journal.lines.length && known.size === journal.size ? 'same' : 'grown', gone }
  return { kind: inRepository && (await isAsGitHasIt(folder)) ? 'as-git-has-it' : 'lost', gone }
}

async function linesOfGit(folder: RecordFolder): Promise<string[]> {
  const bytes = await committed(folder.root, JOURNAL)
  if (bytes === undefined) return []
  // Markers from a merge without Ken are removed when the record is opened.
  const text = bytes.toString('utf8')
  const lines = hasConflictMarkers(text) ? Buffer.from(withoutMarkers(text)) : bytes
  return parseJournal(lines).lines.map((line) => line.sha256)
}

async function isAsGitHasIt(folder: RecordFolder): Promise<boolean> {
  const here = await folder.readBytes(JOURNAL)
  // A branch without a record has none of its files; if only the journal is missing, the journal was lost.
  if (here === undefined && (await folder.list()).length > 0) return false
  for (const copy of [committed, staged]) {
    const there = await copy(folder.root, JOURNAL)
    if (here === undefined ? there === undefined : there?.equals(here) === true) return true
  }
  return false
}

export const seenJournal = ({ lines, size }: JournalReading): JournalHead => headOf(lines, size)
