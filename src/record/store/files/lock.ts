import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'

export interface RecordLock {
  /**
   * Resolves to the function that releases the lock. Throws `unavailable` if the lock is not free within `patience`
   * milliseconds.
   */
  acquire(patience: number): Promise<() => void>
  /** Undefined if the lock is held. */
  tryAcquire(): (() => void) | undefined
  close(): void
}

const SHORTEST_WAIT = 1
const LONGEST_WAIT = 25

/**
 * A lock that the operating system frees when its holder dies: an exclusive transaction on an SQLite file that stays
 * empty. `chance` returns a number from 0 to 1, so that waiting processes do not retry in step.
 */
export function openRecordLock(path: string, chance: () => number): RecordLock {
  let opened: { readonly database: DatabaseSync; readonly inode: bigint | undefined } | undefined
  let held = false
  let tail: Promise<unknown> = Promise.resolve()

  function tryAcquire(): (() => void) | undefined {
    if (held) return undefined
    const connection = connect()
    try {
      // Kept in memory: a journal file would remain if the holder is killed.
      connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      if (isBusy(error)) return undefined
      throw lockFailure(error, path)
    }
    held = true
    return () => {
      held = false
      if (connection.isOpen) connection.exec('ROLLBACK')
    }
  }

  /** A deleted and recreated lock file is another lock: holding the old one would exclude no one. */
  function connect(): DatabaseSync {
    if (opened !== undefined && inodeOf(path) === opened.inode) return opened.database
    opened?.database.close()
    opened = undefined
    try {
      const database = new DatabaseSync(path)
      opened = { database, inode: inodeOf(path) }
      return database
    } catch (error) {
      throw lockFailure(error, path)
    }
  }

  async function wait(patience: number): Promise<() => void> {
    let waited = 0
    for (let most = SHORTEST_WAIT; ; most = Math.min(most * 2, LONGEST_WAIT)) {
      const release = tryAcquire()
      if (release !== undefined) return release
      if (waited >= patience) throw tooLong(patience)
      const pause = most * (0.5 + chance() / 2)
      await sleep(pause)
      waited += pause
    }
  }

  return {
    tryAcquire,
    // Callers in this process queue up: one connection cannot begin twice.
    async acquire(patience) {
      const before = tail
      const turn = Promise.withResolvers<void>()
      tail = before.then(() => turn.promise)
      try {
        await inTime(before, patience)
        const release = await wait(patience)
        return () => {
          release()
          turn.resolve()
        }
      } catch (error) {
        turn.resolve()
        throw error
      }
    },
    close() {
      opened?.database.close()
      opened = undefined
    },
  }
}

async function inTime(before: Promise<unknown>, patience: number): Promise<void> {
  const stop = new AbortController()
  const late = sleep(patience, undefined, { signal: stop.signal }).then(() => {
    throw tooLong(patience)
  })
  late.catch(() => undefined)
  await Promise.race([before, late]).finally(() => stop.abort())
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

const tooLong = (patience: number): AppError =>
  new AppError(
    'unavailable',
    `Another process or agent has been writing to this record for more than ${patience / 1000} s.`,
    {
      hint: 'Try again shortly; if it persists, look for a hanging `ken` process.',
    },
  )

function lockFailure(error: unknown, path: string): AppError {
  if (existsSync(path) && statSync(path).size > 0) {
    return new AppError('damaged', `The lock file ${path} is not a Ken lock.`, {
      hint: 'Delete that file and try again.',
      cause: error,
    })
  }
  return new AppError('forbidden', `Cannot write to the record: the lock ${path} cannot be opened.`, {
    hint: 'Check who owns the folder and whether you may write there; reading still works.',
    cause: error,
  })
}
