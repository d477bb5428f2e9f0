import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { realPlace } from './places.ts'

export interface Target {
  readonly location: string
  /** Destination for the current contents. */
  readonly aside: string
}

/**
 * Writes the files next to the target and renames them into place in one step, so that the record is never incomplete
 * there.
 */
export function putInPlace(
  target: Target,
  files: ReadonlyMap<string, Uint8Array>,
  clock: Clock,
): { aside: string | undefined } {
  const place = checkedPlace(target.location)
  const incoming = `${place}.incoming-${clock.ulid()}`
  try {
    mkdirSync(dirname(place), { recursive: true })
    const folder = openBoundedFolder(incoming)
    for (const [path, bytes] of files) folder.create(path, bytes)
    keepSnapshots(place, incoming)
    const aside = moveAside(target, clock)
    renameSync(incoming, place)
    openBoundedFolder(dirname(place)).sync('')
    return { aside }
  } catch (error) {
    rmSync(incoming, { recursive: true, force: true })
    throw refused(error, place)
  }
}

/** Git has no snapshots, so the remaining ones are the only copies. */
function keepSnapshots(place: string, incoming: string): void {
  const [left, brought] = [join(place, 'snapshots'), join(incoming, 'snapshots')]
  if (lstatSync(left, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const names = lstatSync(brought, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(brought)
  if (names.some((name) => !name.startsWith('.'))) return
  rmSync(brought, { recursive: true, force: true })
  renameSync(left, brought)
}

/** Moves a record's current contents away and returns their destination; removes an empty folder. */
export function moveAside({ location, aside }: Target, clock: Clock): string | undefined {
  const place = checkedPlace(location)
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return undefined
  try {
    if (readdirSync(place).length === 0) {
      rmdirSync(place)
      return undefined
    }
    mkdirSync(dirname(aside), { recursive: true, mode: 0o700 })
    return renamed(place, aside) ?? renamed(place, `${place}.before-${clock.ulid()}`)
  } catch (error) {
    throw refused(error, place)
  }
}

/** Undefined if the destination is on another disk. */
function renamed(from: string, to: string): string | undefined {
  try {
    renameSync(from, to)
    return to
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return undefined
    throw error
  }
}

/** Neither the folder nor the `.ken` folder that contains it may be a link: a clone can contain either. */
function checkedPlace(location: string): string {
  const above = dirname(location)
  for (const part of basename(above) === '.ken' ? [location, above] : [location]) {
    const found = lstatSync(part, { throwIfNoEntry: false })
    if (found !== undefined && !found.isDirectory())
      throw new AppError('forbidden', `${part} is not a real folder.`, {
        hint: 'Move it away; the record follows no links.',
      })
  }
  return join(realPlace(dirname(location)), basename(location))
}

function refused(error: unknown, place: string): AppError {
  if (error instanceof AppError) return error
  const { code = 'an unknown reason' } = error as NodeJS.ErrnoException
  return new AppError('unavailable', `Can’t write to ${place}: ${code}.`, {
    hint: 'Connect its disk, or check its permissions. No changes.',
    cause: error,
  })
}
