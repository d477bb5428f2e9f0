import { lastState } from '../../domain/journal/compare-with-journal.ts'
import { snapshotName } from '../../domain/snapshot/snapshot.ts'
import type { KeptText } from '../../ports/store.ts'
import { decodeOrSkip, sha256 } from '../record-text.ts'
import { pastStates } from './git-copies.ts'
import { readJournal } from './journal-file.ts'
import { ATTRIBUTES, RECORD_ATTRIBUTES } from './merge-driver.ts'
import { plainNames, readPlainSnapshot } from './plain-snapshot.ts'
import type { RecordFolder } from './record-folder.ts'
import { walkPack } from './snapshot-pack.ts'
import type { FileShelf } from './snapshot-store.ts'

export interface KeptParts {
  readonly folder: RecordFolder
  readonly shelf: FileShelf
  readonly inRepository: boolean
}

/** The last journalled text of a file, if a snapshot or git still has exactly that text. */
export async function lastKnownText(parts: KeptParts, path: string): Promise<KeptText | undefined> {
  const { events } = await readJournal(parts.folder)
  const wanted = lastState(events, path)
  if (wanted === undefined && path === ATTRIBUTES) return { text: RECORD_ATTRIBUTES, holder: 'Ken' }
  if (wanted === undefined || wanted === null) return undefined
  let found: KeptText | undefined
  for await (const { text, version } of snapshotTexts(parts, path))
    if (sha256(text) === wanted) found = { text, holder: `snapshot ${snapshotName(version)}` }
  return found ?? (parts.inRepository ? fromGit(parts.folder, path, wanted) : undefined)
}

export async function newestWith(parts: KeptParts, path: string): Promise<number | undefined> {
  let newest: number | undefined
  for await (const { version } of snapshotTexts(parts, path)) newest = Math.max(newest ?? 0, version)
  return newest
}

async function fromGit({ root }: RecordFolder, path: string, wanted: string): Promise<KeptText | undefined> {
  for await (const { commit, bytes } of pastStates(root, path)) {
    const text = decodeOrSkip(bytes, path)
    if (text !== undefined && (sha256(bytes) === wanted || sha256(text) === wanted))
      return { text, holder: `commit ${commit.slice(0, 10)}` }
  }
  return undefined
}

/** Every state of a file in the snapshots, oldest first. */
async function* snapshotTexts(
  { folder, shelf }: KeptParts,
  path: string,
): AsyncGenerator<{ text: string; version: number }> {
  for (const { version } of await plainNames(folder)) {
    const text = (await readPlainSnapshot(folder, version))?.files[path]
    if (text !== undefined) yield { text, version }
  }
  for (const { entry, texts } of walkPack((await shelf.pack()).entries)) {
    const text = texts?.get(path)
    if (text !== undefined) yield { text, version: entry.version }
  }
}
