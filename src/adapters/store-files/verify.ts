import { compareWithJournal, type FileDigest } from '../../core/journal/vouch.ts'
import { HASHES } from '../../core/record/files.ts'
import { recordText } from '../../core/record/record-path.ts'
import type { Discrepancy } from '../../ports/store.ts'
import { sha256 } from './intent.ts'
import { JOURNAL, readJournal } from './journal-file.ts'
import type { RecordFolder } from './record-folder.ts'
import type { FileShelf } from './snapshot-shelf.ts'

/** Compares every byte of the record with its journal, and looks for damage in journal and snapshots. */
export async function verifyRecord(folder: RecordFolder, shelf: FileShelf, options: { history: boolean }): Promise<Discrepancy[]> {
  const { events, unreadable } = await readJournal(folder)
  const listed = await folder.list()
  const digests = await digestsOf(folder, [...listed, HASHES])
  const closed = new Set(listed.filter((path) => !digests.has(path)))
  const damaged = [
    ...[...closed].map((path) => ({ path, message: 'cannot be read' })),
    ...(unreadable === 0 ? [] : [{ path: JOURNAL, message: `${unreadable} of its lines cannot be read` }]),
    ...(await shelf.damaged()),
  ]
  return [
    ...compareWithJournal(digests, events, options).filter((found) => !closed.has(found.path)),
    ...damaged.map((found): Discrepancy => ({ ...found, kind: 'damaged' })),
  ]
}

async function digestsOf(folder: RecordFolder, paths: readonly string[]): Promise<Map<string, FileDigest>> {
  const digests = new Map<string, FileDigest>()
  for await (const [path, bytes] of folder.readListed(paths)) {
    const text = bytes.includes(0x0d) ? recordText(bytes.toString('utf8')) : undefined
    digests.set(path, { sha256: sha256(bytes), ...(text === undefined ? {} : { asText: sha256(text) }) })
  }
  return digests
}
