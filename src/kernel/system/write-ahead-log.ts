import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../domain/disk-failure.ts'

const PAUSE_MS = 5
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/**
 * Readers and a writer of a database with a log do not wait for each other. Of several processes that switch a new one
 * over at the same moment, SQLite refuses all but one at once, whatever their timeout: each reads already. A moment
 * later they find it done.
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
