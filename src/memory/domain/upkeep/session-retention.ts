/** Harvested session as seen by the storage limits. */
export interface StoredSession {
  readonly path: string
  /** End of the conversation in milliseconds, not the time its file was written. */
  readonly ended: number
  /** Last time the session was read or returned in an answer, in milliseconds; undefined if never. */
  readonly used: number | undefined
  readonly bytes: number
}

export interface StorageBounds {
  /** Infinity: sessions do not expire. */
  readonly retentionDays: number
  readonly maxBytes: number
  /** Bytes of everything else that counts against the limit and cannot be evicted. */
  readonly otherBytes: number
}

export interface EvictionPlan<S extends StoredSession> {
  readonly expired: readonly S[]
  /** The sessions least recently active or used: as few as needed to bring the total below the limit. */
  readonly oversize: readonly S[]
  /** Bytes over the limit even without any session. If more than zero, no session is evicted for size. */
  readonly beyondReach: number
}

const DAY = 24 * 3600 * 1000

export const isExpired = (ended: number, now: number, retentionDays: number): boolean =>
  now - ended > retentionDays * DAY

/**
 * Plans evictions by retention first, then by size. If the index alone is too large, no session is evicted for size,
 * since that would not help.
 */
export function planEviction<S extends StoredSession>(
  sessions: readonly S[],
  now: number,
  limits: StorageBounds,
): EvictionPlan<S> {
  const isTooOld = ({ ended }: S): boolean => isExpired(ended, now, limits.retentionDays)
  const expired = sessions.filter(isTooOld)
  const kept = sessions
    .filter((session) => !isTooOld(session))
    .sort((a, b) => lastMattered(a) - lastMattered(b) || a.ended - b.ended || (a.path < b.path ? -1 : 1))
  if (limits.otherBytes > limits.maxBytes)
    return { expired, oversize: [], beyondReach: limits.otherBytes - limits.maxBytes }
  let over = limits.otherBytes + kept.reduce((sum, { bytes }) => sum + bytes, 0) - limits.maxBytes
  const oversize = kept.filter(({ bytes }) => {
    if (over <= 0) return false
    over -= bytes
    return true
  })
  return { expired, oversize, beyondReach: 0 }
}

const lastMattered = ({ ended, used }: StoredSession): number => Math.max(ended, used ?? ended)

/** What is kept of a removed session: enough to recognise it, without its content. */
export interface Tombstone {
  readonly client: string
  readonly session: string
  /** `expired`: too old; `evicted`: over the size limit; `forgotten`: removed by a person. */
  readonly why: 'expired' | 'evicted' | 'forgotten'
  /** Last known end of the conversation, ISO 8601. */
  readonly ended: string
  readonly at: string
}

/**
 * Whether a session stays removed. An evicted session returns if the conversation has continued since, and an expired
 * session if it is no longer too old. A forgotten session never does, because all of its content would return.
 */
export function staysBuried({ why, ended }: Tombstone, endedAt: string): boolean {
  return why === 'forgotten' || (why === 'evicted' && Date.parse(endedAt) <= Date.parse(ended))
}

/** Whether a raised limit lets a session return. */
export function mayReturn({ why, ended }: Tombstone, now: number, limits: ReturnLimits): boolean {
  if (why === 'forgotten' || isExpired(Date.parse(ended), now, limits.retentionDays)) return false
  return why === 'expired' || limits.hasMoreRoom
}

export interface ReturnLimits {
  readonly retentionDays: number
  /** True if the size limit was raised since the last eviction. */
  readonly hasMoreRoom: boolean
}
