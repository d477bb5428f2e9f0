import { readdir } from 'node:fs/promises'
import { AppError } from '../../core/errors.ts'
import { isAbsent, toRecordFailure } from './fs-failure.ts'
import type { RecordLock } from './lock.ts'
import type { RecordFolder } from './record-folder.ts'

const OWN_FILES = new Set(['lock', '.gitignore'])

/**
 * Finishes what a crash left, if it left anything. The lock is free only when nobody is landing a change, so whatever lies there then is from a crash.
 * Where nothing can be written this does nothing: reading still works.
 */
export async function finishCrashed(folder: RecordFolder, scratch: string, lock: RecordLock): Promise<void> {
  if ((await leftovers(scratch)).length === 0) return
  try {
    const release = lock.tryAcquire()
    if (release === undefined) return
    const { recover } = await import('./recovery.ts')
    await recover(folder, scratch).finally(release)
  } catch (error) {
    const failure = toRecordFailure(error, 'finish an interrupted change')
    if (!(failure instanceof AppError && (failure.code === 'forbidden' || failure.code === 'unavailable'))) throw failure
  }
}

/** Names of what a crash, or a change that is landing right now, left in the scratch folder. */
export async function leftovers(scratch: string): Promise<string[]> {
  try {
    return (await readdir(scratch)).filter((name) => !OWN_FILES.has(name))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
