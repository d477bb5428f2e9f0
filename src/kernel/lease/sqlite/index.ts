import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFailure, isBusy, sqliteCode } from '../../domain/disk-failure.ts'
import type { Lease } from '../../ports/lease.ts'

const CORRUPT = 11
const NOT_A_DATABASE = 26

/**
 * Lease as an exclusive transaction on a dedicated file: it ends with the process that holds it, regardless of how that
 * process ends. A `passing` file is deleted on release.
 */
export function openLease(path: string, { passing = false }: { readonly passing?: boolean } = {}): Lease {
  let database: DatabaseSync | undefined
  let held = false

  function begin(): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    database ??= new DatabaseSync(path)
    // A journal file would stay behind if the holder is killed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  }

  /** Deletes a corrupt or foreign file, which contains no Ken data, and starts over. */
  function beginAnew(error: unknown): void {
    const code = sqliteCode(error)
    if (code !== CORRUPT && code !== NOT_A_DATABASE) throw error
    database?.close()
    database = undefined
    rmSync(path, { force: true })
    begin()
  }

  return {
    tryTake() {
      if (held) return undefined
      try {
        try {
          begin()
        } catch (error) {
          beginAnew(error)
        }
      } catch (error) {
        if (isBusy(error)) return undefined
        throw diskFailure(error, path) ?? error
      }
      held = true
      return () => {
        if (held && passing) rmSync(path, { force: true })
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
