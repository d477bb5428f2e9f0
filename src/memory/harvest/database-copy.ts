import { constants } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isAbsent, statFile } from '../../kernel/system/file-mark.ts'

export interface DatabaseCopy {
  readonly db: DatabaseSync
  /**
   * True once the client has written to a database that is read in place: the data read may be a mix of both states.
   */
  isStale(): Promise<boolean>
  close(): Promise<void>
}

export interface CopyLimits {
  /** In bytes; a larger database is read in place, unless the file system lets the copy share its blocks. */
  readonly mostCopied?: number
  readonly mayShare?: boolean
}

/** A longer value is not read: it would have to fit into memory whole. */
export const LONGEST_VALUE = 32 * 1024 * 1024

const TRIES = 5
const PAUSE_MS = 50
/** Without shared blocks, a larger file would be copied at every harvest beside a busy editor. */
const MOST_COPIED = 256 * 1024 * 1024

/**
 * Opens a client's database without locking or changing it: a private copy including its logs or, if that would cost
 * too much, the file as of the last checkpoint. Undefined if the client writes too often for a copy to be made between
 * two writes.
 */
export async function openDatabaseCopy(path: string, limits: CopyLimits = {}): Promise<DatabaseCopy | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'ken-harvest-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  let db: DatabaseSync | undefined
  try {
    const before = JSON.stringify(await statFile(path))
    const copied = await copyBetweenWrites(path, join(folder, basename(path)), limits)
    if (copied === 'too busy') return undefined
    db =
      copied === 'too large'
        ? new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true })
        : new DatabaseSync(join(folder, basename(path)), { readOnly: copied === 'settled' })
    const open = db
    // The first read opens every file, so the copy can be unlinked now if the system allows it: it may contain
    // credentials, and if the process is killed, nothing is left behind.
    open.prepare('PRAGMA schema_version').get()
    if (process.platform !== 'win32') await remove()
    return {
      db: open,
      isStale: async () => copied === 'too large' && before !== JSON.stringify(await statFile(path)),
      async close() {
        open.close()
        await remove()
      },
    }
  } catch (error) {
    db?.close()
    throw error
  } finally {
    if (db === undefined || !db.isOpen) await remove()
  }
}

/** Whether a table has only plain columns: a view or a computed column runs its author's SQL. */
export function isPlainTable(db: DatabaseSync, name: string): boolean {
  const found = db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?").get(name)
  if (found === undefined || /^\s*create\s+virtual/i.test(String(found.sql))) return false
  return db
    .prepare('SELECT hidden FROM pragma_table_xinfo(?)')
    .all(name)
    .every(({ hidden }) => hidden === 0)
}

type Copied = 'settled' | 'with a journal' | 'too large' | 'too busy'

/** Copies database and logs, which are consistent only if none was written meanwhile. */
async function copyBetweenWrites(original: string, copy: string, limits: CopyLimits): Promise<Copied> {
  for (let i = 0; i < TRIES; i += 1) {
    const before = await stateOf(original)
    if (!(await copyDatabase(original, copy, limits))) return 'too large'
    await copyLog(`${original}-wal`, `${copy}-wal`)
    const hasJournal = await copyLog(`${original}-journal`, `${copy}-journal`)
    if (before === (await stateOf(original))) return hasJournal ? 'with a journal' : 'settled'
    await wait(PAUSE_MS)
  }
  return 'too busy'
}

/** Returns false if the database is too large and its blocks cannot be shared. */
async function copyDatabase(
  original: string,
  copy: string,
  { mostCopied = MOST_COPIED, mayShare = true }: CopyLimits,
): Promise<boolean> {
  const found = await statFile(original)
  if (found === undefined || found.size <= mostCopied) {
    await copyFile(original, copy, constants.COPYFILE_FICLONE)
    return true
  }
  if (!mayShare) return false
  return copyFile(original, copy, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  )
}

async function copyLog(original: string, copy: string): Promise<boolean> {
  try {
    await copyFile(original, copy, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if (!isAbsent(error)) throw error
    await rm(copy, { force: true })
    return false
  }
}

async function stateOf(original: string): Promise<string> {
  const parts = [original, `${original}-wal`, `${original}-journal`]
  return JSON.stringify(await Promise.all(parts.map(statFile)))
}
