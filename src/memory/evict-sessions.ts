import { planEviction, type StoredSession } from '../core/upkeep/session-retention.ts'
import type { Context } from '../ports/context.ts'
import type { ArchivedSession } from '../ports/session-archive.ts'
import type { UpkeepParts } from '../ports/upkeep-parts.ts'
import { storageLimits } from './storage-limits.ts'

export interface Evicted {
  readonly expired: number
  readonly oversize: number
  /** Bytes above storage.maxSize that no eviction can save. */
  readonly beyondReach: number
  readonly isOverLimit: boolean
}

/** Gives up what is over a limit. The agents' own files are not touched. The caller holds the lease. */
export async function evictSessions(ctx: Context, { archive, state, space }: UpkeepParts): Promise<Evicted> {
  const { maxBytes, retentionDays } = storageLimits(ctx.settings)
  const { bytes, wasted, sessionShare } = await space.usage()
  const indexed = bytes - wasted
  const sessions = withIndexShare(await archive.list(), indexed * sessionShare)
  const now = ctx.clock.now()
  const plan = planEviction(sessions, now.getTime(), {
    retentionDays,
    maxBytes,
    otherBytes: indexed * (1 - sessionShare),
  })
  const gone = [...plan.expired, ...plan.oversize]
  // Tombstones first: a crash in between must not let the next harvest bring them back.
  await state.bury(
    gone.map(({ archived: { client, session, ended } }) => ({
      client,
      session,
      why: 'evicted',
      ended,
      at: now.toISOString(),
    })),
  )
  await archive.remove(gone.map(({ path }) => path))
  const isOverLimit = bytes + sessions.reduce((sum, each) => sum + each.archived.bytes, 0) > maxBytes
  return {
    expired: plan.expired.length,
    oversize: plan.oversize.length,
    beyondReach: Math.round(plan.beyondReach),
    isOverLimit,
  }
}

/** What a session takes is its file and its part of the index. */
function withIndexShare(
  sessions: readonly ArchivedSession[],
  indexBytes: number,
): (StoredSession & { archived: ArchivedSession })[] {
  const text = sessions.reduce((sum, { bytes }) => sum + bytes, 0)
  const each = 1 + indexBytes / text
  return sessions.map((archived) => ({
    path: archived.path,
    ended: Date.parse(archived.ended),
    bytes: archived.bytes * each,
    archived,
  }))
}
