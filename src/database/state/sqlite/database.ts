import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFailure, sqliteCode } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { sealOf } from '../../../kernel/system/row-seal.ts'
import { useWriteAheadLog } from '../../../kernel/system/write-ahead-log.ts'
import { migrate, mustBeKnown } from './schema.ts'

const PATIENCE = 15_000
// BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN and similar concern the disk; every other code concerns the file's
// content.
const AROUND = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 18, 22])

export interface StateOptions {
  /** Temporary, so that nothing waits for the disk. */
  readonly passing?: boolean
}

/** Connection to `state.db`, migrated: every commit reaches the disk, and a damaged file is never replaced. */
export function openStateDatabase(
  path: string,
  check: (database: DatabaseSync) => void,
  { passing = false }: StateOptions = {},
): DatabaseSync {
  return inWords(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Chats are private: the file is created with mode 0600, which the files next to it inherit.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const database = new DatabaseSync(path, { timeout: PATIENCE })
    try {
      mustBeKnown(database, path)
      useWriteAheadLog(database, PATIENCE)
      // Deleted rows are overwritten: the content of a chat or a cursor must not remain in the file.
      database.exec(`PRAGMA synchronous = ${passing ? 'OFF' : 'FULL'}; PRAGMA secure_delete = ON`)
      database.function('seal', { varargs: true, deterministic: true }, (...values) => sealOf(...values))
      migrate(database, path)
      check(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

export class Damaged extends Error {}

/** Converts any error of the disk or the file to a message with the next step. */
export function inWords<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw worded(path, error)
  }
}

export function worded(path: string, error: unknown): unknown {
  const code = sqliteCode(error)
  if (error instanceof AppError) return error
  if (error instanceof Damaged || (code !== undefined && !AROUND.has(code)) || isFolder(path))
    return damaged(path, error)
  return diskFailure(error, path) ?? error
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const damaged = (path: string, cause: unknown): AppError =>
  new AppError(
    'damaged',
    `${path} is damaged. It holds chats, stories and what is remembered of you, how far each client's sessions were harvested, and which sessions were forgotten or evicted.`,
    {
      hint: 'Restore it from a backup. If you move it away instead, you lose chats, stories and memories, and forgotten sessions are harvested again until you run `ken forget` for them.',
      cause,
    },
  )
