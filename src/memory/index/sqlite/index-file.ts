import { accessSync, constants, existsSync, renameSync, rmSync, statSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { diskFailure, sqliteCode } from '../../../kernel/domain/disk-failure.ts'
import { useWriteAheadLog } from '../../../kernel/system/write-ahead-log.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { readHead } from './head.ts'
import { checkSchema, createSchema, isEmpty } from './schema.ts'
import { sealOf } from './seal.ts'

export interface Connection {
  readonly database: DatabaseSync
  /** Identifies the file and its log: another one under the same name is another index. */
  readonly identity: string
  readonly isReadOnly: boolean
  /** Why the index cannot be written. */
  readonly cause?: unknown
}

// Milliseconds. Another process may be writing a batch, or a checkpoint may be running.
const PATIENCE = 15_000
const NOT_A_DATABASE = 26
const FILES = ['', '-wal', '-shm']

/**
 * Opens the index, or creates one if there never was one. Throws `IndexDamaged` if an existing index is missing or not
 * sound.
 */
export function connect(path: string): Connection {
  if (path === ':memory:')
    return {
      database: make(new DatabaseSync(path), path, { generation: 0, unfinished: false }),
      identity: identityOf(path),
      isReadOnly: false,
    }
  // Read before the head, which may only grow meanwhile.
  const reached = readWitness(path)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined && reached > 0) throw new IndexDamaged('its file is gone')
  if (stat !== undefined && !stat.isFile()) throw new IndexDamaged('no file but something else lies in its place')
  try {
    const database = openToWrite(path, reached)
    return { database, identity: identityOf(path), isReadOnly: false }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { database: openToRead(path, reached, error), identity: identityOf(path), isReadOnly: true, cause: error }
  }
}

/** Changes when the file or its log is replaced or removed. */
export function identityOf(path: string): string {
  if (path === ':memory:') return path
  return `${fileAt(path)} ${fileAt(`${path}-wal`)} ${fileAt(`${path}-shm`)}`
}

/** Identity of the file with this name. */
export function fileAt(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 'none' : `${stat.dev}.${stat.ino}`
}

/**
 * Replaces any existing file with an empty index. A file that is not a database may be there by mistake and is renamed.
 */
export function replaceFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  const fresh = `${path}.new`
  for (const suffix of [...FILES, '-journal']) rmSync(fresh + suffix, { force: true })
  // Completed before it gets its final name, so that no process opens an incomplete file.
  make(new DatabaseSync(fresh), fresh, { generation: readWitness(path) + 1, unfinished: true }).close()
  if (stat !== undefined && (!stat.isFile() || isForeign(path))) renameSync(path, freeName(`${path}.aside`))
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true, recursive: true })
  renameSync(fresh, path)
}

/**
 * Page cache of a connection, in kilobytes. Every client has a server, and the system caches the file for all of them.
 */
const PAGE_CACHE = 2048

function openToWrite(path: string, reached: number): DatabaseSync {
  if (existsSync(path)) accessSync(path, constants.W_OK)
  accessSync(dirname(path), constants.W_OK)
  const database = new DatabaseSync(path, { timeout: PATIENCE })
  try {
    if (isEmpty(database) && reached > 0) throw new IndexDamaged('its file is empty')
    database.exec('PRAGMA page_size = 8192')
    useWriteAheadLog(database, PATIENCE)
    // Commits are not synced: a power cut may lose the last changes, which the next update repeats.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY')
    database.exec(`PRAGMA cache_size = ${-PAGE_CACHE}`)
    if (isEmpty(database)) createSchema(database, { generation: 0, unfinished: false })
    return sound(database, path, reached)
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens an index that cannot be written: with its log if the log can be read, otherwise without it, provided the log is
 * empty.
 */
function openToRead(path: string, reached: number, refusal: unknown): DatabaseSync {
  if (!existsSync(path)) return make(new DatabaseSync(':memory:'), path, { generation: 0, unfinished: false })
  const isLogEmpty = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  for (const place of [path, ...(isLogEmpty ? [new URL(`${pathToFileURL(path)}?immutable=1`)] : [])]) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(place, { readOnly: true, timeout: PATIENCE })
      return sound(database, path, reached)
    } catch (error) {
      database?.close()
      if (!isRefused(error)) throw error
    }
  }
  throw refusal
}

/** Whether the disk caused the failure, rather than the file's content. */
const isRefused = (error: unknown): boolean =>
  !(error instanceof IndexDamaged) && (diskFailure(error)?.code ?? 'damaged') !== 'damaged'

function make(database: DatabaseSync, path: string, first: Parameters<typeof createSchema>[1]): DatabaseSync {
  if (path !== ':memory:') database.exec('PRAGMA page_size = 8192')
  createSchema(database, first)
  return database
}

function sound(database: DatabaseSync, path: string, reached: number): DatabaseSync {
  checkSchema(database, path)
  const head = readHead((sql, ...values) =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => Object.values(row)),
  )
  if (head.generation < reached) throw new IndexDamaged('its last changes are lost')
  return database
}

function isForeign(path: string): boolean {
  if (statSync(path).size === 0) return false
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      database.prepare('PRAGMA schema_version').get()
    } finally {
      database.close()
    }
    return false
  } catch (error) {
    return sqliteCode(error) === NOT_A_DATABASE
  }
}

function freeName(path: string): string {
  for (let n = 1; ; n++) if (!existsSync(`${path}-${n}`)) return `${path}-${n}`
}

/**
 * Path of the witness: the generation that the index has reached, stored beside it under a name that is not deleted
 * with it.
 */
const witnessOf = (path: string): string => `${path.replace(/\.db$/, '')}.witness`

/**
 * The generation that the index has reached at least; 0 if unknown. An index behind it has lost changes, or everything.
 */
function readWitness(path: string): number {
  try {
    const [, generation, seal] = /^(\d{1,15}) (\d+)\n$/.exec(readFileSync(witnessOf(path), 'utf8')) ?? []
    return generation !== undefined && Number(seal) === sealOf(Number(generation)) ? Number(generation) : 0
  } catch {
    return 0
  }
}

/** Must be called after the commit: if the process dies in between, the witness is only too low, which is harmless. */
export function writeWitness(path: string, generation: number): void {
  try {
    writeFileSync(witnessOf(path), `${generation} ${sealOf(generation)}\n`, { mode: 0o600 })
  } catch {
    // A failed write is ignored: without the witness only a lost log would go unnoticed.
  }
}
