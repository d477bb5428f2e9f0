import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../core/errors.ts'

/** One build at a time: an exclusive transaction is freed by the system when its process dies, unlike a pid file. */
export async function holdLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(path)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new AppError('conflict', 'Another `ken sync` is running in this project.', { hint: 'Wait until it is done.' })
  }
  try {
    return await work()
  } finally {
    lock.close()
  }
}
