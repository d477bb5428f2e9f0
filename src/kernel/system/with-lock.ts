import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../domain/errors.ts'

const PATIENCE_MS = 10_000

/**
 * Runs `work` while no other process does. Uses an exclusive transaction, which the system releases when its process
 * dies, unlike a pid file. `work` must not wait for anything.
 */
export function withLock<T>(path: string, work: () => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(path, { timeout: PATIENCE_MS })
  try {
    try {
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      throw new AppError('conflict', 'Another process is changing the same file.', {
        hint: 'Try again shortly.',
        cause: error,
      })
    }
    return work()
  } finally {
    lock.close()
  }
}
