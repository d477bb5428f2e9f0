import { join } from 'node:path'
import type { Clock } from '../../src/kernel/ports/clock.ts'
import type { Context } from '../../src/operations/context.ts'
import { HASHES } from '../../src/record/domain/files.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'
import { openTeamCopy } from '../../src/team/adapters/sqlite-team-copy.ts'
import type { TeamCopy } from '../../src/team/ports/team-copy.ts'

/** A machine with its own home, clock and copy of the record. */
export interface Home {
  readonly store: Store
  readonly copy: TeamCopy
  /** The part of a call's context that is read by record changes. */
  readonly ctx: Context
  files(): Promise<Record<string, string>>
  close(): Promise<void>
}

export async function openHome(folder: string, at: number): Promise<Home> {
  const clock = homeClock(at)
  const store = await openFileStore({
    root: join(folder, 'record'),
    project: { id: '01JQ0000000000000000000000', name: 'team', mode: 'cloud', location: folder },
    cacheDir: join(folder, 'cache'),
    stateDir: join(folder, 'state'),
    clock,
  })
  const copy = openTeamCopy(join(folder, 'state', 'team.db'))
  return {
    store,
    copy,
    ctx: { clock, origin: { surface: 'cli' } } as Context,
    files: () => filesOf(store),
    async close() {
      await store.close()
      await copy.close()
    },
  }
}

export async function filesOf(store: Store): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const path of [...(await store.list()), HASHES]) {
    const text = await store.read(path)
    if (text !== undefined) files[path] = text
  }
  return files
}

/** Advances one second per call; no two machines ever return the same time, and their clocks are minutes apart. */
function homeClock(at: number): Clock {
  let time = Date.parse('2026-03-01T09:00:00.000Z') + at * 421_007
  let count = 0
  const next = (length: number) => (++count).toString(16).padStart(length, '0')
  return {
    now: () => new Date((time += 1000)),
    ulid: () => `01JQ${at}${next(21)}`.toUpperCase(),
    uuid: () => `${next(8)}-000${at}-4000-8000-000000000000`,
  }
}
