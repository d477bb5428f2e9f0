import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { diskFailure, sqliteCode } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { inTransaction, prepareOnce } from '../../../kernel/system/sqlite-statements.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { chunksFrom } from './chunks.ts'
import { outlinesOf } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, coresSince } from './documents.ts'
import { readHead, writeHead } from './head.ts'
import { connect, fileAt, identityOf, replaceFile, type Connection, writeWitness } from './index-file.ts'
import { mustBe, plus } from './seal.ts'
import { leavesOf, segmentsOf } from './segments.ts'
import { shelvesOf, vectorsSince } from './shelves.ts'

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

const CORRUPT = 11
const NOT_A_DATABASE = 26
// Reading failed, was short, or the file system reports damage: SQLITE_IOERR_READ, _SHORT_READ, _CORRUPTFS, _DATA.
const UNREADABLE = new Set([266, 522, 8202, 8458])
// PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, NOLFS: the environment of the file, not its
// contents.
const AROUND = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 22])

/** The index damage that a failure indicates; undefined if the index is sound and the cause is elsewhere. */
function toDamage(error: unknown, database: Pick<IndexDatabase, 'rows' | 'each' | 'head'>): IndexDamaged | undefined {
  if (error instanceof IndexDamaged) return error
  if (error instanceof AppError) return undefined
  const code = sqliteCode(error)
  if (code === CORRUPT || code === NOT_A_DATABASE || UNREADABLE.has((error as { errcode?: number }).errcode ?? 0))
    return new IndexDamaged('its file is damaged', error)
  if (code !== undefined && AROUND.has(code)) return undefined
  if (
    typeof (error as { code?: unknown } | null)?.code === 'string' &&
    /^E[A-Z0-9]+$/.test((error as { code: string }).code)
  )
    return undefined
  try {
    examine(database)
    return undefined
  } catch (found) {
    return found instanceof IndexDamaged ? found : new IndexDamaged('its file cannot be read', found)
  }
}

/** Reads every page and every row. Throws if one of them differs from its written state. */
function examine(database: Pick<IndexDatabase, 'rows' | 'each' | 'head'>): void {
  const whole = database as IndexDatabase
  const [[verdict]] = database.rows('PRAGMA quick_check(1)') as [[string]]
  if (verdict !== 'ok') throw new IndexDamaged('its file is damaged', new Error(verdict))
  const head = database.head()
  allDocuments(whole)
  const cores = [...coresSince(whole, -1)]
  outlinesOf(
    whole,
    cores.reduce((sum, { outline }) => plus(sum, outline), 0),
  )
  for (const { firstChunk, chunks } of cores)
    mustBe(chunksFrom(whole, firstChunk, chunks).length, chunks, 'the parts of a document are')
  for (const segment of segmentsOf(whole, head)) leavesOf(whole, segment)
  for (const { embedder, tally } of shelvesOf(whole, head)) {
    let sum = 0
    for (const { seal } of vectorsSince(whole, embedder, -1)) sum = plus(sum, seal)
    mustBe(sum, tally, 'its vectors are')
  }
}
