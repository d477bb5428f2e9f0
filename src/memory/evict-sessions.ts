import type { Call } from '../kernel/ports/call.ts'
import { planEviction, type StoredSession, type Tombstone } from './domain/upkeep/session-retention.ts'
import type { ArchivedSession } from './ports/session-archive.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'
import { storageLimits } from './storage-limits.ts'

export interface Evicted {
  readonly expired: number
  readonly oversize: number
  /** Bytes above storage.maxSize that no eviction can free. */
  readonly beyondReach: number
  readonly isOverLimit: boolean
}

/** Key of the size limit at the last eviction: a larger limit lets sessions return. */
export const ROOM_AT_EVICTION = 'storage.maxSize'

/** Evicts sessions over a limit. The agents' logs are not changed. The caller holds the lease. */
export async function evictSessions(ctx: Call, { archive, state, space, uses }: UpkeepParts): Promise<Evicted> {
  const { maxBytes, retentionDays } = storageLimits(ctx.settings)
  const { bytes, wasted, sessionShare } = await space.usage()
  const indexed = bytes - wasted
  const sessions = withIndexShare(await archive.list(), indexed * sessionShare, await uses.lastUsed())
  const now = ctx.clock.now()
  const plan = planEviction(sessions, now.getTime(), {
    retentionDays,
    maxBytes,
    otherBytes: indexed * (1 - sessionShare),
  })
  const stone = (why: Tombstone['why'], { archived: { client, session, ended } }: Kept): Tombstone => ({
    client,
    session,
    why,
    ended,
    at: now.toISOString(),
  })
  // Tombstones are written first: after a crash in between, the next harvest must not restore the sessions.
  await state.bury([
    ...plan.expired.map((each) => stone('expired', each)),
    ...plan.oversize.map((each) => stone('evicted', each)),
  ])
  if ((await state.fact(ROOM_AT_EVICTION)) !== String(maxBytes))
    await state.keepFact(ROOM_AT_EVICTION, String(maxBytes))
  await archive.remove([...plan.expired, ...plan.oversize].map(({ path }) => path))
  await uses.keepOnly(new Set(sessions.map(({ archived }) => archived.fileId)))
  const isOverLimit = bytes + sessions.reduce((sum, each) => sum + each.archived.bytes, 0) > maxBytes
  return {
    expired: plan.expired.length,
    oversize: plan.oversize.length,
    beyondReach: Math.round(plan.beyondReach),
    isOverLimit,
  }
}

type Kept = StoredSession & { readonly archived: ArchivedSession }

/** Computes the size of each session: its file and its share of the index. */
function withIndexShare(
  sessions: readonly ArchivedSession[],
  indexBytes: number,
  used: ReadonlyMap<string, number>,
): Kept[] {
  const text = sessions.reduce((sum, { bytes }) => sum + bytes, 0)
  const each = 1 + indexBytes / text
  return sessions.map((archived) => ({
    path: archived.path,
    ended: Date.parse(archived.ended),
    used: used.get(archived.fileId),
    bytes: archived.bytes * each,
    archived,
  }))
}
