import { AppError } from '../kernel/domain/errors.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import { HASHES } from './domain/files.ts'
import type { JournalLine } from './domain/journal/journal-lines.ts'
import { eventsOf, tipOf } from './domain/journal/unite-journals.ts'
import { isRecordFile } from './domain/record-path.ts'
import type { Draft, Store } from './ports/store.ts'

/** The last state of every file in the journal: its hash, or null if it was deleted. */
export const statesOf = (lines: readonly JournalLine[]): ReadonlyMap<string, string | null> =>
  new Map(eventsOf(lines).flatMap(({ files }) => Object.entries(files)))

/** Record files that events name, sorted. */
export const touchedBy = (lines: readonly JournalLine[]): string[] =>
  [...new Set(eventsOf(lines).flatMap(({ files }) => Object.keys(files)))].filter(isRecordFile).sort()

export const hashOf = (text: string | undefined): string | null => (text === undefined ? null : sha256(text))

/** The text of a file. Throws if it differs from the journal, because no one else could verify it or its author. */
export async function readAsTold(
  draft: Pick<Draft, 'read'>,
  path: string,
  states: ReadonlyMap<string, string | null>,
): Promise<string | undefined> {
  const text = await draft.read(path)
  if (hashOf(text) === (states.get(path) ?? null)) return text
  throw new AppError('conflict', `${path} was changed by hand or another program since Ken last wrote it.`, {
    hint: 'Keep the change with `ken accept` or undo it with `ken repair --take-back`, then sync again.',
  })
}

/**
 * Prepares a journal that others can continue: it covers every text as it is read and ends in one line. The first sync
 * checks every file, because adopted bytes may have \r\n line ends.
 */
export async function linkRecord(store: Store, isFirst: boolean): Promise<void> {
  const lines = await store.history.lines()
  const paths = isFirst ? [...(await store.list()), HASHES] : []
  if (lines.length === 0 && (await store.list()).length === 0) return
  if (tipOf(lines) !== undefined && !isFirst) return
  const edited = new Set((await store.verify()).map(({ path }) => path))
  await store.commit({ surface: 'merge' }, async (draft) => {
    const states = statesOf(await store.history.lines())
    let isNeeded = tipOf(lines) === undefined
    for (const path of paths) {
      const text = await draft.read(path)
      if (text === undefined || edited.has(path) || states.get(path) === sha256(text)) continue
      draft.write(path, text)
      isNeeded = true
    }
    if (isNeeded) draft.note('link', {})
  })
}

/**
 * The error if the journal here no longer contains the agreed state: after a redaction, or if the record was restored
 * from elsewhere.
 */
export const rewritten = (): AppError =>
  new AppError('conflict', 'This record’s history was rewritten since the last team sync.', {
    hint: 'Run `ken projects rm`, move its folder away, then run `ken attach` to fetch the team’s.',
  })
