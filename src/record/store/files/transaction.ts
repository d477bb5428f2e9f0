import { dirname } from 'node:path/posix'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { BoundedFolder } from '../../../kernel/system/bounded-folder.ts'
import { sha256 } from '../record-text.ts'
import { encodeIntent, type Append, type Intent } from './intent.ts'
import { toRecordFailure } from './record-failure.ts'
import type { Scratch } from './scratch.ts'

/**
 * Applies an intent: all of it or nothing, durably. The caller holds the lock. Nothing is visible before the intent is
 * on disk; from then on recovery finishes the change after a crash at any point. A failure without a crash (a full
 * disk) is undone here, or by recovery if the disk does not allow that either. Each file changes atomically; a reader
 * of several files may see some before and some after the change, but only while this runs.
 *
 * Errors state the outcome: `details.recorded` is `no` if nothing of the change will ever be seen, and `later` if it is
 * safe and will be finished by the next process that opens the record.
 */
export function land(files: BoundedFolder, scratch: Scratch, intent: Intent): void {
  const text = encodeIntent(intent)
  try {
    scratch.stage(intent.id, text)
    scratch.publish(intent.id)
  } catch (error) {
    quietly(() => scratch.forget(intent.id))
    throw notRecorded(error)
  }
  try {
    scratch.sync()
    apply(files, intent)
  } catch (error) {
    throw takeBack(files, scratch, intent) ? notRecorded(error) : laterRecorded(error)
  }
  // The change is final even if this step fails. The intent is removed last, because only it lists the files that were
  // set aside.
  quietly(() => {
    sweep(files, intent)
    scratch.forget(intent.id)
  })
}

function apply(files: BoundedFolder, intent: Intent): void {
  for (const [i, { path, text }] of intent.writes.entries())
    files.create(aside(intent, i, path, 'new'), text, modeOf(files, path))
  for (const [i, { path }] of intent.writes.entries()) {
    files.link(path, aside(intent, i, path, 'old'))
    files.move(aside(intent, i, path, 'new'), path)
  }
  for (const [i, { path }] of intent.removes.entries()) files.move(path, aside(intent, i, path, 'gone'))
  syncFolders(files, [...intent.writes, ...intent.removes])
  for (const { path, offset, text } of intent.appends) {
    files.append(path, offset, text)
    if (offset === 0) files.sync(folderOf(path))
  }
}

/** True once it is certain that the change will not be finished: from then on recovery undoes it instead. */
function takeBack(files: BoundedFolder, scratch: Scratch, intent: Intent): boolean {
  try {
    scratch.giveUp(intent.id)
  } catch {
    return false
  }
  quietly(() => {
    scratch.sync()
    undo(files, intent)
    scratch.forget(intent.id)
  })
  return true
}

/** Restores everything as it was before the intent. Idempotent. */
export function undo(files: BoundedFolder, intent: Intent): void {
  for (const append of intent.appends) cutBack(files, append)
  for (const [i, { path, text, before }] of intent.writes.entries()) {
    // A file with other contents was not written yet, or was written by another program since.
    if (hashOf(files, path) !== sha256(text)) continue
    if (!files.move(aside(intent, i, path, 'old'), path) && before === null) files.remove(path)
  }
  for (const [i, { path }] of intent.removes.entries())
    if (files.stat(path) === undefined) files.move(aside(intent, i, path, 'gone'), path)
  syncFolders(files, [...intent.writes, ...intent.removes, ...intent.appends])
  sweep(files, intent)
}

/** Ignores errors, for steps that recovery repeats if the disk refuses them now. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    return
  }
}

/** Removes a change's temporary files. */
export function sweep(files: BoundedFolder, intent: Intent): void {
  for (const [i, { path }] of intent.writes.entries())
    for (const kind of ['new', 'old'] as const) files.remove(aside(intent, i, path, kind))
  for (const [i, { path }] of intent.removes.entries()) files.remove(aside(intent, i, path, 'gone'))
}

/**
 * Path of a temporary file beside the target, so that a rename can put it in place: the crash state may be on another
 * disk.
 */
export const aside = (intent: Intent, i: number, path: string, kind: 'new' | 'old' | 'gone'): string =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}.ken-${intent.id}.${i}.${kind}`

/** How much of an append was written: `foreign` if something else is in its place. */
export function stateOf(files: BoundedFolder, { path, offset, text }: Append): 'whole' | 'torn' | 'foreign' {
  const wanted = Buffer.from(text)
  const size = files.stat(path)?.size ?? 0
  if (size < offset) return 'foreign'
  const found = files.readPart(path, offset, wanted.length) ?? Buffer.alloc(0)
  if (!found.equals(wanted.subarray(0, found.length))) return 'foreign'
  return found.length === wanted.length ? 'whole' : 'torn'
}

/** Removes an append again, if nothing follows it. */
function cutBack(files: BoundedFolder, append: Append): void {
  const { path, offset, text } = append
  const size = files.stat(path)?.size ?? 0
  if (size <= offset || size > offset + Buffer.byteLength(text) || stateOf(files, append) === 'foreign') return
  if (offset === 0) files.remove(path)
  else files.cut(path, offset)
}

export function hashOf(files: BoundedFolder, path: string): string | null {
  const bytes = files.read(path)
  return bytes === undefined ? null : sha256(bytes)
}

export function syncFolders(files: BoundedFolder, changed: readonly { readonly path: string }[]): void {
  for (const folder of new Set(changed.map(({ path }) => folderOf(path)))) files.sync(folder)
}

const folderOf = (path: string): string => (path.includes('/') ? dirname(path) : '')

/** A file keeps its permissions when it is replaced. */
function modeOf(files: BoundedFolder, path: string): number | undefined {
  const mode = files.stat(path)?.mode
  return mode === undefined ? undefined : mode & 0o777
}

export function notRecorded(error: unknown): unknown {
  const failure = toRecordFailure(error, 'write to the record')
  if (!(failure instanceof AppError) || failure.details?.['recorded'] !== undefined) return failure
  return new AppError(failure.code, failure.message, {
    ...(failure.hint !== undefined && { hint: failure.hint }),
    details: { ...failure.details, recorded: 'no' },
    cause: failure.cause ?? failure,
  })
}

const laterRecorded = (cause: unknown): AppError =>
  new AppError('unavailable', 'The change is saved but not applied yet: a disk error interrupted it.', {
    hint: 'Ken applies it when the record is next opened and the disk works; do not repeat the change.',
    details: { recorded: 'later' },
    cause,
  })
