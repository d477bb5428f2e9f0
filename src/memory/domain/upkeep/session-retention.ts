/** A harvested session as the limits see it. */
export interface StoredSession {
  readonly path: string
  /** When the conversation ended, in milliseconds; not when its file was written. */
  readonly ended: number
  /** When it was last read or returned in an answer, in milliseconds; undefined when it never was. */
  readonly used: number | undefined
  readonly bytes: number
}

export interface StorageBounds {
  /** Infinity: sessions do not grow too old. */
  readonly retentionDays: number
  readonly maxBytes: number
  /** What everything else takes that counts against the limit and cannot be evicted. */
  readonly otherBytes: number
}

export interface EvictionPlan<S extends StoredSession> {
  readonly expired: readonly S[]
  /** Those that were spoken or used longest ago: as few as bring the total below the limit. */
  readonly oversize: readonly S[]
  /** More than zero: the limit cannot be met even without a single session, so none is given up for it. */
  readonly beyondReach: number
}

const DAY = 24 * 3600 * 1000

export const isExpired = (ended: number, now: number, retentionDays: number): boolean =>
  now - ended > retentionDays * DAY

/** Retention first, then size. What cannot help is not deleted: an index that alone is too large costs no session. */
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

/** What is left of a session that was given up: enough to know it again, nothing of what was said. */
export interface Tombstone {
  readonly client: string
  readonly session: string
  /** `expired`: too old; `evicted`: too much together; `forgotten`: a person wanted it gone. */
  readonly why: 'expired' | 'evicted' | 'forgotten'
  /** When the conversation ended as far as it was known, ISO 8601. */
  readonly ended: string
  readonly at: string
}

/**
 * An evicted session returns when the conversation went on since, an expired one when it is not too old any more. A
 * forgotten one never does: it would be told whole again.
 */
export function staysBuried({ why, ended }: Tombstone, endedAt: string): boolean {
  return why === 'forgotten' || (why === 'evicted' && Date.parse(endedAt) <= Date.parse(ended))
}

/** Whether a limit that was raised lets a session back in. */
export function mayReturn({ why, ended }: Tombstone, now: number, limits: ReturnLimits): boolean {
  if (why === 'forgotten' || isExpired(Date.parse(ended), now, limits.retentionDays)) return false
  return why === 'expired' || limits.hasMoreRoom
}

export interface ReturnLimits {
  readonly retentionDays: number
  /** The limit on size was raised since sessions were given up for it. */
  readonly hasMoreRoom: boolean
}
