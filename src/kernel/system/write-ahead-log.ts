import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../domain/disk-failure.ts'

const PAUSE_MS = 5
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/**
 * With a write-ahead log, readers and a writer do not wait for each other. If several processes switch a new database
 * at once, SQLite refuses all but one immediately, whatever their timeout: each already reads. On a retry they find it
 * done.
 */
export function useWriteAheadLog(database: DatabaseSync, patience: number): void {
  for (const since = performance.now(); ; Atomics.wait(nobodyWakes, 0, 0, PAUSE_MS))
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > patience) throw error
    }
}
