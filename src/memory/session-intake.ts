import type { Redactor } from '../kernel/ports/redactor.ts'
import { sessionFileId, sessionFileName, sessionMarkdown } from './domain/session/markdown.ts'
import type { HarvestedSession } from './domain/session/session.ts'
import { isExpired, mayReturn, staysBuried, type Tombstone } from './domain/upkeep/session-retention.ts'
import { guardDisk } from './domain/upkeep/upkeep-rules.ts'
import type { ArchivedSession } from './ports/session-archive.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { openSessionPlaces, workspaceIn } from './session-places.ts'
import type { StorageLimits } from './storage-limits.ts'

/** `expired`: ended before the retention period; a longer period brings it back. `buried`: evicted or forgotten. */
export type Outcome = 'new' | 'changed' | 'unchanged' | 'expired' | 'buried'

/** Entry to the archive: new sessions are redacted, removed ones are not added again. */
export interface SessionIntake {
  take(session: HarvestedSession): Promise<{ readonly outcome: Outcome; readonly redactions: number }>
  /** Removes the copy of a session that turned out to be empty; false if there is none. */
  drop(client: string, session: string): Promise<boolean>
  /** Records the omitted sessions; must be called before saving a cursor that would skip them. */
  remember(): Promise<void>
}

export interface IntakeOptions {
  readonly limits: StorageLimits
  readonly now: Date
  readonly dryRun: boolean
  /** Folders, in addition to the sessions' folders, whose repositories may have had worktrees. */
  readonly folders: readonly string[]
  /** True if sessions evicted for their size may return. */
  readonly hasMoreRoom: boolean
}

type IntakeParts = Pick<UpkeepParts, 'archive' | 'state' | 'redactor' | 'workspaces'>

export async function openSessionIntake(
  { archive, state, redactor, workspaces }: IntakeParts,
  { limits, now, dryRun, folders, hasMoreRoom }: IntakeOptions,
): Promise<SessionIntake> {
  const stones = new Map(
    (await state.tombstones()).map((stone) => [sessionFileId({ client: stone.client, id: stone.session }), stone]),
  )
  const archived = await archive.list()
  const places = openSessionPlaces(workspaces, archived, folders)
  const copies: Map<string, Pick<ArchivedSession, 'path'>[]> = Map.groupBy(archived, ({ fileId }) => fileId)
  let [leftOut, raised]: [Tombstone[], Tombstone[]] = [[], []]

  const returns = { retentionDays: limits.retentionDays, hasMoreRoom }
  const isBuried = (stone: Tombstone, endedAt: string): boolean =>
    staysBuried(stone, endedAt) && !mayReturn(stone, now.getTime(), returns)

  async function store(path: string, text: string, earlier: readonly string[]): Promise<void> {
    if (dryRun) return
    guardDisk(await archive.freeSpace(), limits.minFreeBytes)
    await archive.write(path, text)
    await archive.remove(earlier.filter((old) => old !== path))
  }

  return {
    async take(told) {
      const fileId = sessionFileId(told)
      const stone = stones.get(fileId)
      const earlier = (copies.get(fileId) ?? []).map((copy) => copy.path)
      if (stone !== undefined && isBuried(stone, told.endedAt)) return { outcome: 'buried', redactions: 0 }
      if (isExpired(Date.parse(told.endedAt), now.getTime(), limits.retentionDays)) {
        leftOut.push(expiredStone(told, now))
        return { outcome: 'expired', redactions: 0 }
      }
      if (stone !== undefined) raised.push(stone)
      const { session, count: redactions } = await redactSession(told, redactor)
      const workspace = places.ofNew(told, earlier[0] && workspaceIn(earlier[0]))
      const path = `${workspace}/${sessionFileName(session)}`
      const text = sessionMarkdown(session, { workspace })
      if (earlier.length === 1 && earlier[0] === path && (await archive.read(path)) === text)
        return { outcome: 'unchanged', redactions }
      await store(path, text, earlier)
      copies.set(fileId, [{ path }])
      return { outcome: earlier.length > 0 ? 'changed' : 'new', redactions }
    },
    async drop(client, id) {
      const fileId = sessionFileId({ client, id })
      const paths = (copies.get(fileId) ?? []).map(({ path }) => path)
      if (paths.length > 0 && !dryRun) await archive.remove(paths)
      copies.delete(fileId)
      return paths.length > 0
    },
    async remember() {
      if (!dryRun && leftOut.length > 0) await state.bury(leftOut)
      if (!dryRun && raised.length > 0) await state.raise(raised)
      ;[leftOut, raised] = [[], []]
    },
  }
}

const expiredStone = ({ client, id, endedAt }: HarvestedSession, now: Date): Tombstone => ({
  client,
  session: id,
  why: 'expired',
  ended: endedAt,
  at: now.toISOString(),
})

/** The session as it may be stored: every text written by people, agents or tools is redacted. */
async function redactSession(
  session: HarvestedSession,
  redactor: Redactor,
): Promise<{ session: HarvestedSession; count: number }> {
  let count = 0
  const clean = async <T extends string | null>(text: T): Promise<T> => {
    if (text === null) return text
    const redacted = await redactor.redact(text)
    count += redacted.count
    return redacted.text as T
  }
  const each = async <T extends { readonly text: string }>(parts: readonly T[]): Promise<T[]> => {
    const cleaned: T[] = []
    for (const part of parts) cleaned.push({ ...part, text: await clean(part.text) })
    return cleaned
  }
  const redacted = {
    ...session,
    title: await clean(session.title),
    // The address often contains a password.
    repo: await clean(session.repo),
    gitBranch: await clean(session.gitBranch),
    turns: await each(session.turns),
    compactionSummaries: await each(session.compactionSummaries),
  }
  return { session: redacted, count }
}
