import type { AuditEntry } from './domain/audit-entry.ts'
import type { AuditLog } from './ports/audit-log.ts'

export interface AuditTrail {
  /**
   * Changes, refusals, and reads of other people's chats are in the log when this returns; other reads are written up
   * to a second later, and are lost if the process ends. Never throws.
   */
  tell(entry: AuditEntry): Promise<void>
  /** Number of entries that could not be written since the start. */
  lost(): number
  close(): Promise<void>
}

const MOST_WAITING = 10_000
const AT_ONCE = 500
const EVERY_MS = 1_000
/** Reading other users' chats is logged before it happens. */
const REPLAYS: ReadonlySet<string> = new Set(['replay_chats', 'replay_show'])

/** Writes entries in bulk, so that reading a record needs no separate transaction. */
export function openAuditTrail(log: Pick<AuditLog, 'write'>): AuditTrail {
  const waiting: AuditEntry[] = []
  let lost = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const entries = waiting.splice(0, AT_ONCE)
      try {
        await log.write(entries)
      } catch {
        // Retried with the next batch. The oldest entries are kept: an attacker could flood the log to hide something.
        waiting.unshift(...entries)
        lost += waiting.splice(MOST_WAITING).length
        return
      }
    }
  }
  const flush = (): Promise<void> => (writing = writing.then(write))
  const timer = setInterval(() => void (waiting.length > 0 && flush()), EVERY_MS)
  timer.unref()
  return {
    async tell(entry) {
      if (waiting.length < MOST_WAITING) waiting.push(entry)
      else lost += 1
      if (
        entry.effect === 'write' ||
        entry.outcome !== 'ok' ||
        REPLAYS.has(entry.operation) ||
        waiting.length >= AT_ONCE
      )
        await flush()
    },
    lost: () => lost,
    async close() {
      clearInterval(timer)
      await flush()
      lost += waiting.splice(0).length
    },
  }
}
