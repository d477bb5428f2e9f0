import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../domain/disk-failure.ts'

const PAUSE_MS = 5
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/**
 * Switches to a write-ahead log, with which readers and a writer do not block each other. If several processes switch a
 * new database at once, SQLite rejects all but one immediately, whatever their timeout, because each already reads. A
 * retry finds the switch done.
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
