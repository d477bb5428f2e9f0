import { AppError } from '../../../kernel/domain/errors.ts'
import type { BoundedFolder } from '../../../kernel/system/bounded-folder.ts'
import { sha256 } from '../record-text.ts'
import type { Append, Intent } from './intent.ts'
import type { RecordLock } from './lock.ts'
import { toRecordFailure } from './record-failure.ts'
import type { Scratch } from './scratch.ts'
import { aside, hashOf, stateOf, sweep, syncFolders, undo } from './transaction.ts'

/**
 * Finishes a change that a crash interrupted. The lock is free only when no process is committing, so any leftover is
 * from a crash. Does nothing if the disk is not writable: reading still works.
 */
export function finishCrashed(files: BoundedFolder, scratch: Scratch, lock: RecordLock): void {
  try {
    if (scratch.leftovers().length === 0) return
    const release = lock.tryAcquire()
    if (release === undefined) return
    try {
      recover(files, scratch)
    } finally {
      release()
    }
  } catch (error) {
    const failure = toRecordFailure(error, 'finish an interrupted change')
    if (!(failure instanceof AppError && (failure.code === 'forbidden' || failure.code === 'unavailable')))
      throw failure
  }
}

/**
 * Finishes or undoes complete intents, drops torn ones, and cleans up. The caller holds the lock, so no other process
 * is working here. Idempotent.
 */
export function recover(files: BoundedFolder, scratch: Scratch): void {
  for (const { name, intent, todo } of scratch.leftovers()) {
    if (intent !== undefined) {
      if (todo === 'undo' || !isFinishable(files, intent)) undo(files, intent)
      else finish(files, intent)
    }
    scratch.discard(name)
  }
}

/**
 * False if one of its files was written since, for example by a git checkout. The change was never confirmed to its
 * caller, so it is dropped.
 */
function isFinishable(files: BoundedFolder, intent: Intent): boolean {
  const last = intent.appends.at(-1)
  // The last line is written last: if it exists, later changes may already cover the rest.
  if (last !== undefined && stateOf(files, last) === 'whole') return true
  const isKnown = (path: string, ...states: (string | null)[]) => states.includes(hashOf(files, path))
  return (
    intent.writes.every(({ path, text, before }) => isKnown(path, before, sha256(text))) &&
    intent.removes.every(({ path, before }) => isKnown(path, before, null))
  )
}

function finish(files: BoundedFolder, intent: Intent): void {
  const last = intent.appends.at(-1)
  if (last === undefined || stateOf(files, last) !== 'whole') {
    for (const [i, { path, text }] of intent.writes.entries()) {
      if (hashOf(files, path) === sha256(text)) continue
      files.remove(aside(intent, i, path, 'new'))
      files.create(aside(intent, i, path, 'new'), text)
      files.move(aside(intent, i, path, 'new'), path)
    }
    for (const { path } of intent.removes) files.remove(path)
    syncFolders(files, [...intent.writes, ...intent.removes])
    for (const append of intent.appends) finishAppend(files, append)
  }
  sweep(files, intent)
}

function finishAppend(files: BoundedFolder, append: Append): void {
  const { path, offset, text } = append
  const state = stateOf(files, append)
  if (state === 'whole') return
  const size = files.stat(path)?.size ?? 0
  if (state === 'torn' && size > offset) files.cut(path, offset)
  // Another program wrote there since: its lines stay, ours follow.
  files.append(path, state === 'torn' ? offset : size, text)
  syncFolders(files, [append])
}
