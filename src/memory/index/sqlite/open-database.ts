import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { diskFailure } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { inTransaction, prepareOnce } from '../../../kernel/system/sqlite-statements.ts'
import { toDamage } from './damage.ts'
import type { IndexDatabase } from './database.ts'
import { readHead, writeHead } from './head.ts'
import { connect, fileAt, identityOf, replaceFile, type Connection, writeWitness } from './index-file.ts'

/**
 * Index database, opened on first use and again whenever another file has replaced it. Throws `IndexDamaged` if the
 * file is not as written.
 */
export function openIndexDatabase(path: string): IndexDatabase {
  let connection: Connection | undefined
  let incarnation = 0
  let isInside = false
  /** Identity of the damaged file: another process may have replaced it by now. */
  let damaged: string | undefined
  const statements = prepareOnce(current)
  const { rows, each, run } = statements

  function drop(): void {
    statements.clear()
    incarnation++
    const { database } = connection ?? {}
    connection = undefined
    if (database?.isOpen === true) database.close()
  }

  function current(): DatabaseSync {
    if (isInside) return connection!.database
    if (connection !== undefined && connection.identity !== identityOf(path)) drop()
    if (connection === undefined) {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      connection = connect(path)
    }
    return connection.database
  }

  /** A failure inside that the disk did not cause puts the whole file in doubt. */
  function guarded<T>(work: () => T): T {
    if (isInside) return work()
    try {
      return work()
    } catch (error) {
      const damage = toDamage(error, { rows, each, head: () => readHead(rows) })
      if (damage === undefined) throw error
      damaged = fileAt(path)
      if (path !== ':memory:') drop()
      throw damage
    }
  }

  function transaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
    return inTransaction(current(), begin, () => {
      isInside = true
      try {
        return work()
      } finally {
        isInside = false
      }
    })
  }

  return {
    path,
    get incarnation() {
      return incarnation
    },
    rows: (sql, ...values) => guarded(() => rows(sql, ...values)),
    each,
    run: (sql, ...values) => guarded(() => run(sql, ...values)),
    head: () => guarded(() => readHead(rows)),
    change: (work) =>
      guarded(() => {
        current()
        if (connection!.isReadOnly) throw readOnly(path, connection!.cause)
        let generation = 0
        const result = transaction('BEGIN IMMEDIATE', () => {
          const head = readHead(rows)
          head.generation++
          const made = work(head)
          writeHead(run, head)
          generation = head.generation
          return made
        })
        if (path !== ':memory:') writeWitness(path, generation)
        return result
      }),
    look: (work) => (isInside ? work() : guarded(() => transaction('BEGIN', work))),
    renew() {
      drop()
      if (damaged === undefined || damaged === fileAt(path)) replaceFile(path)
      damaged = undefined
    },
    close: drop,
  }
}

const readOnly = (path: string, cause: unknown): AppError =>
  diskFailure(cause, path) ??
  new AppError('unavailable', `${path} is read-only.`, {
    hint: 'Check who owns its folder, and whether the disk is full.',
    cause,
  })
