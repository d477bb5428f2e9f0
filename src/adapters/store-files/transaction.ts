import { rename, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { allDone, appendDurably, discard, keep, makeFolder, moveAside, syncFolder, writeDurably } from './durable.ts'
import { isAbsent, toRecordFailure } from './fs-failure.ts'
import { encodeIntent, type Intent } from './intent.ts'
import type { RecordFolder } from './record-folder.ts'

/**
 * Lands an intent: all of it or nothing, and on the disk. The caller holds the lock.
 * Nothing is visible before the intent is on the disk; from then on a crash at any point is finished by recovery.
 * A failure without a crash (a full disk) is undone here. Each file changes in one step; a reader that looks at several
 * while this runs may see some before and some after the change, but no longer than it runs.
 */
export async function land(folder: RecordFolder, scratch: string, intent: Intent): Promise<void> {
  const targets = await locateAll(folder, intent)
  const intentPath = join(scratch, `${intent.id}.intent`)
  try {
    await allDone([
      writeDurably(intentPath, encodeIntent(intent)),
      ...intent.writes.map(async ({ path, text }, i) => writeDurably(join(scratch, `${intent.id}.${i}.new`), text, await modeOf(targets.get(path)!))),
    ])
    await syncFolder(scratch)
  } catch (error) {
    await forget(scratch, intent)
    throw toRecordFailure(error, 'write to the record')
  }
  try {
    await apply(scratch, intent, targets)
  } catch (error) {
    await undo(scratch, intent, targets).catch((cause: unknown) => {
      throw new AppError('unavailable', 'The change stopped half way and could not be taken back.', {
        hint: 'It will be finished when the record is opened next and the disk allows it.', cause,
      })
    })
    throw toRecordFailure(error, 'write to the record')
  }
  await clear(scratch, intent)
}

type Targets = ReadonlyMap<string, string>

/** Checks every path before anything is written, and makes the folders. */
export async function locateAll(folder: RecordFolder, intent: Intent): Promise<Targets> {
  try {
    const paths = [...intent.writes.map((w) => w.path), ...intent.removes, ...intent.appends.map((a) => a.path)]
    const located = await Promise.all(paths.map(async (path) => [path, await folder.locate(path)] as const))
    for (const parent of new Set(located.map(([, absolute]) => dirname(absolute)))) await makeFolder(parent)
    return new Map(located)
  } catch (error) {
    throw toRecordFailure(error, 'write to the record')
  }
}

async function apply(scratch: string, intent: Intent, targets: Targets): Promise<void> {
  const { id } = intent
  await allDone(
    intent.writes.map(async ({ path }, i) => {
      await keep(targets.get(path)!, join(scratch, `${id}.${i}.old`))
      await rename(join(scratch, `${id}.${i}.new`), targets.get(path)!)
    }),
  )
  await allDone(intent.removes.map((path, i) => moveAside(targets.get(path)!, join(scratch, `${id}.${i}.gone`))))
  await syncFolders([...intent.writes.map(({ path }) => targets.get(path)!), ...intent.removes.map((path) => targets.get(path)!)])
  for (const { path, offset, text } of intent.appends) {
    await appendDurably(targets.get(path)!, offset, text)
    if (offset === 0) await syncFolder(dirname(targets.get(path)!))
  }
}

async function undo(scratch: string, intent: Intent, targets: Targets): Promise<void> {
  const { id } = intent
  for (const [i, { path }] of intent.writes.entries()) {
    if (await exists(join(scratch, `${id}.${i}.new`))) continue
    if (!(await moveAside(join(scratch, `${id}.${i}.old`), targets.get(path)!))) await discard(targets.get(path)!)
  }
  for (const [i, path] of intent.removes.entries()) await moveAside(join(scratch, `${id}.${i}.gone`), targets.get(path)!)
  for (const { path, offset } of intent.appends) await cutBack(targets.get(path)!, offset)
  await syncFolders([...targets.values()])
  await forget(scratch, intent)
}

/** For good: a change that was reported as failed must not come back after a power cut. */
async function forget(scratch: string, intent: Intent): Promise<void> {
  await clear(scratch, intent)
  await syncFolder(scratch)
}

/** The intent goes first: without it the rest is only litter, which the next change sweeps up. */
async function clear(scratch: string, intent: Intent): Promise<void> {
  await discard(join(scratch, `${intent.id}.intent`))
  const rest = [...intent.writes.keys()].flatMap((i) => [`${intent.id}.${i}.new`, `${intent.id}.${i}.old`])
  await Promise.all([...rest, ...[...intent.removes.keys()].map((i) => `${intent.id}.${i}.gone`)].map((name) => discard(join(scratch, name))))
}

const syncFolders = (files: readonly string[]): Promise<unknown> => Promise.all([...new Set(files.map((file) => dirname(file)))].map(syncFolder))

async function cutBack(path: string, offset: number): Promise<void> {
  try {
    if ((await stat(path)).size > offset) await truncate(path, offset)
    if (offset === 0) await discard(path)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** A file keeps its permissions when it is replaced. */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

const exists = async (path: string): Promise<boolean> => (await modeOf(path)) !== undefined
