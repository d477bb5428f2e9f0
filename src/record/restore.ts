import { AppError } from '../kernel/domain/errors.ts'
import type { Call } from '../kernel/ports/call.ts'
import { isSnapshotFile } from './domain/record-path.ts'
import { type Snapshot, snapshotName } from './domain/snapshot/snapshot.ts'
import type { Store } from './ports/store.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'

/** Restores the record, or single files of it, from a snapshot; the current state is captured first. */
export async function restoreSnapshot(
  ctx: Call,
  store: Store,
  { version, files, dry_run }: { version: number; files?: readonly string[] | undefined; dry_run: boolean },
): Promise<{ written: string[]; removed: string[]; way_back?: number }> {
  const before = await store.snapshots.read(version)
  if (before === undefined)
    throw new AppError('not_found', `Snapshot ${snapshotName(version)} not found.`, {
      hint: 'List them with `ken log`.',
    })
  const chosen = files === undefined ? undefined : chosenFiles(files, before)
  const wayBack = dry_run ? undefined : await captureBefore(ctx, store)
  const changed = await store.commit(ctx.origin, async (draft) => {
    // Read under the lock: a redaction may have changed it meanwhile. The snapshot taken above may have replaced it.
    const snapshot = (await store.snapshots.read(version)) ?? before
    const written: string[] = []
    for (const [path, text] of Object.entries(snapshot.files)) {
      if (!isSnapshotFile(path) || chosen?.has(path) === false) continue
      if ((await draft.read(path).catch(() => undefined)) === text) continue
      written.push(path)
      if (!dry_run) draft.write(path, text)
    }
    const present = (await store.list()).filter(isSnapshotFile)
    const removed = chosen === undefined ? present.filter((path) => !Object.hasOwn(snapshot.files, path)) : []
    if (!dry_run && written.length + removed.length > 0) {
      for (const path of removed) draft.remove(path)
      await rebuildHashIndex(ctx, store, draft, { more: written })
      draft.note('restore', { version, ...(chosen && { files: [...chosen] }) })
      draft.snapshot(`restore: ${snapshotName(version)}`)
    }
    return { written, removed }
  })
  const isChanged = changed.written.length + changed.removed.length > 0
  return { ...changed, ...(isChanged && wayBack !== undefined && { way_back: wayBack }) }
}

function chosenFiles(files: readonly string[], snapshot: Snapshot): ReadonlySet<string> {
  const absent = files.find((path) => !Object.hasOwn(snapshot.files, path) || !isSnapshotFile(path))
  if (absent === undefined) return new Set(files)
  throw new AppError('not_found', `${snapshotName(snapshot.version ?? 0)} has no file ${absent}.`, {
    hint: 'Use a path from `ken restore <version> --dry-run`; `ken log` lists snapshots.',
  })
}

/**
 * The version of a snapshot of the current record, created if there is none; it is read back before anything is
 * replaced.
 */
async function captureBefore(ctx: Call, store: Store): Promise<number> {
  const known = await wholeNewest(store)
  if (known !== undefined) return known
  await store.commit(ctx.origin, async (draft) => {
    draft.note('snapshot', {})
    draft.snapshot('before a restore')
  })
  const made = await wholeNewest(store)
  if (made !== undefined) return made
  throw new AppError('damaged', 'The record as it is now could not be captured, so nothing was restored.', {
    hint: 'Run `ken doctor` for details.',
  })
}

/** The version of the newest snapshot if it matches the current record. */
async function wholeNewest(store: Store): Promise<number | undefined> {
  const newest = (await store.snapshots.list()).at(-1)
  const last = newest && (await store.snapshots.read(newest.version).catch(() => undefined))
  const present = (await store.list()).filter(isSnapshotFile)
  const texts = await Promise.all(present.map((path) => store.read(path).catch(() => undefined)))
  const isWhole =
    last !== undefined &&
    Object.keys(last.files).length === present.length &&
    present.every((path, at) => texts[at] === undefined || last.files[path] === texts[at])
  return isWhole ? newest?.version : undefined
}
