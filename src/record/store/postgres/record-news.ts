import type { StopSignal } from '../../../kernel/domain/stop.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { RECORD_CHANNEL } from './land.ts'
import { readHead } from './record-head.ts'

/** The heads of records, and notifications of changes. */
export interface RecordNews {
  /** The hash of the one line that covers all others; null if there is none. */
  tip(project: string): Promise<string | null>
  /** Resolves when a record changed, `patience` is over, or the signal stops. */
  changed(project: string, patience: number, signal: StopSignal): Promise<void>
  /** Releases all waiting callers. */
  close(): Promise<void>
}

export async function openRecordNews(database: SqlDatabase): Promise<RecordNews> {
  const waiting = new Map<string, Set<() => void>>()
  let isClosed = false
  const ring = (project: string): void => {
    for (const wake of waiting.get(project) ?? []) wake()
  }
  const ringAll = (): void => {
    for (const project of waiting.keys()) ring(project)
  }
  const heard = await database.listen(RECORD_CHANNEL, (message) =>
    message === undefined ? ringAll() : ring(message.slice(0, message.lastIndexOf(':'))),
  )
  return {
    async tip(project) {
      const { journal } = await database.transaction({ project }, (sql) => readHead(sql, project))
      return journal.tips.length === 1 ? journal.tips[0]! : null
    },
    changed: (project, patience, signal) =>
      new Promise((done) => {
        if (isClosed || signal.aborted) return done()
        const wake = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          const others = waiting.get(project)
          others?.delete(wake)
          if (others?.size === 0) waiting.delete(project)
          done()
        }
        const timer = setTimeout(wake, patience)
        signal.addEventListener('abort', wake)
        waiting.set(project, (waiting.get(project) ?? new Set()).add(wake))
      }),
    async close() {
      isClosed = true
      ringAll()
      await heard.close()
    },
  }
}
