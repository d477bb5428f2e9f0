import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Lease } from '../../ports/lease.ts'

const BUSY = 5

/** An exclusive transaction on a file of its own: it ends with the process that holds it, however that ends. */
export function openLease(path: string): Lease {
  let database: DatabaseSync | undefined
  let held = false
  return {
    tryTake() {
      if (held) return undefined
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        database ??= new DatabaseSync(path)
        // In memory: a journal file would stay behind when the holder is killed.
        database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      } catch (error) {
        if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined
        throw error
      }
      held = true
      return () => {
        if (held) database?.exec('ROLLBACK')
        held = false
      }
    },
    close() {
      database?.close()
      database = undefined
      held = false
    },
  }
}
