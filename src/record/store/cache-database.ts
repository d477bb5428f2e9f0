import { mkdirSync, rmSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { inTransaction, prepareOnce, type Statements } from '../../kernel/system/sqlite-statements.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import { useWriteAheadLog } from '../../kernel/system/write-ahead-log.ts'

/** Data derived from a record. Everything in it can be rebuilt, so any fault is handled by starting over. */
export interface CacheDatabase extends Pick<Statements, 'rows' | 'run'> {
  number(key: string): number
  setNumber(key: string, value: number): void
  /** Applies all of `work` or nothing; synchronous, so that no other caller in this process runs in between. */
  transaction<T>(work: () => T): T
  /**
   * Discards the contents; numbers read before become invalid, which a new `epoch` signals. If the disk does not accept
   * the new contents, they are kept only in memory.
   */
  reset(keep?: 'in memory'): void
  readonly epoch: number
  close(): void
}

const SCHEMA_VERSION = 10
// Milliseconds; other processes hold the lock for one index batch.
const PATIENCE = 5_000

const SCHEMA = `
  CREATE TABLE numbers (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (
    stem TEXT PRIMARY KEY, stamp TEXT, hash TEXT, captured TEXT, points INTEGER NOT NULL DEFAULT 0, generation INTEGER NOT NULL,
    doc INTEGER, words TEXT, length INTEGER, uses INTEGER, reason_length INTEGER, reason_uses INTEGER, entry TEXT, fault TEXT
  );
  CREATE INDEX uncaptured ON files (stem) WHERE captured IS NOT hash;
  CREATE TABLE postings (field INTEGER NOT NULL, term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX posting ON postings (field, term, block);
  CREATE TABLE vectors (embedder TEXT NOT NULL, docs BLOB NOT NULL, scales BLOB NOT NULL, data BLOB NOT NULL);
  CREATE TABLE everyday (embedder TEXT NOT NULL, proposals TEXT NOT NULL, scales BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (embedder, proposals));
  CREATE TABLE lines (embedder TEXT PRIMARY KEY, docs INTEGER NOT NULL, decisions INTEGER NOT NULL, line REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE captured (path TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pack (one INTEGER PRIMARY KEY CHECK (one = 1), stamp TEXT NOT NULL, version INTEGER NOT NULL, whole INTEGER NOT NULL, since INTEGER NOT NULL);
  CREATE TABLE shelf (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, facts TEXT) WITHOUT ROWID;
  CREATE TABLE journal (one INTEGER PRIMARY KEY CHECK (one = 1), stamp TEXT NOT NULL, read INTEGER NOT NULL, mark TEXT NOT NULL);
  CREATE TABLE proposed (stem TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE identities (stem TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE moved (place INTEGER PRIMARY KEY, num INTEGER NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL);
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/**
 * Opens the cache at `path`, recreates it if it is missing or damaged, and keeps it in memory if it cannot be stored.
 */
export function openCacheDatabase(path: string): CacheDatabase {
  const [found, first] = alone(path, () => {
    const seal = checkSeal(path)
    if (seal === 'changed') removeFiles(path)
    return [seal, openOrRenew(path)] as const
  })
  let database = first
  // A cache that could not be checked is never sealed: it is rebuilt once no process uses it.
  let isKnown = found !== 'unknown' || isNew(database)
  let isSealed = found === 'sound'
  let epoch = 0
  const statements = prepareOnce(() => database)

  return {
    ...access(statements, () => database),
    reset(keep) {
      statements.clear()
      database.close()
      database = alone(path, () => {
        removeFiles(path)
        return keep === 'in memory' ? openInMemory() : openOrRenew(path)
      })
      isKnown = true
      isSealed = false
      epoch++
    },
    get epoch() {
      return epoch
    },
    close() {
      statements.clear()
      if (!database.isOpen) return
      const isStored = database.location() !== null
      const isAsSealed = isSealed && database.prepare('SELECT total_changes() AS n').get()!['n'] === 0
      if (!isStored) return database.close()
      alone(path, () => {
        if (database.isOpen) database.close()
        if (isKnown && !isAsSealed) writeSeal(path)
      })
    },
  }
}

/** A cache for the lifetime of this process. */
export function openMemoryCache(): CacheDatabase {
  let database = openInMemory()
  let epoch = 0
  const statements = prepareOnce(() => database)
  const close = (): void => {
    statements.clear()
    if (database.isOpen) database.close()
  }
  return {
    ...access(statements, () => database),
    reset() {
      close()
      database = openInMemory()
      epoch++
    },
    get epoch() {
      return epoch
    },
    close,
  }
}

function access(
  { rows, run }: Statements,
  database: () => DatabaseSync,
): Pick<CacheDatabase, 'rows' | 'run' | 'number' | 'setNumber' | 'transaction'> {
  return {
    rows,
    run,
    number: (key) => (rows('SELECT value FROM numbers WHERE key = ?', key)[0]?.[0] as number | undefined) ?? 0,
    setNumber: (key, value) =>
      run('INSERT INTO numbers VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', key, value),
    transaction: (work) => inTransaction(database(), 'BEGIN IMMEDIATE', work),
  }
}

/**
 * Lets one process at a time open, close or delete a cache, so that none opens a cache that another deletes, or finds
 * it closed but not yet sealed. Without the lock, as on a read-only disk, the work is tried anyway.
 */
function alone<T>(path: string, work: () => T): T {
  try {
    return withLock(`${path}.lock`, work)
  } catch {
    return work()
  }
}

function openOrRenew(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openFile(path)
  } catch {
    try {
      removeFiles(path)
      return openFile(path)
    } catch {
      return openInMemory()
    }
  }
}

function openInMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(SCHEMA)
  return database
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: PATIENCE })
  try {
    useWriteAheadLog(database, PATIENCE)
    database.exec('PRAGMA synchronous = OFF')
    const version = versionOf(database)
    if (version === 0) createSchema(database)
    else if (version !== SCHEMA_VERSION) throw new Error('made by another version')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Two processes may open a new cache at once; the second finds an existing schema. */
function createSchema(database: DatabaseSync): void {
  inTransaction(database, 'BEGIN IMMEDIATE', () => {
    if (versionOf(database) === 0) database.exec(SCHEMA)
  })
}

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

const isNew = (database: DatabaseSync): boolean =>
  database.prepare('SELECT NOT EXISTS (SELECT 1 FROM numbers) AS none').get()!['none'] === 1

function removeFiles(path: string): void {
  removeSeal(path)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

const sealAt = (path: string): string => `${path}.seal`
const isInUse = (path: string): boolean => existsSync(`${path}-wal`)

/**
 * Whether the cache at `path` is unchanged since its last use: `sound`, `changed`, or `unknown` if a process has it
 * open or died with it open. SQLite detects a broken page, but not a flipped byte in a row. The file is read only while
 * no process has it open: closing it again would release the locks of a connection of this process.
 */
function checkSeal(path: string): 'sound' | 'changed' | 'unknown' {
  if (isInUse(path) || !existsSync(path)) return 'unknown'
  const seal = readIfThere(sealAt(path))
  if (seal === undefined) return 'changed'
  const now = sealOf(path)
  return isInUse(path) ? 'unknown' : now === seal ? 'sound' : 'changed'
}

/** Seals the file after the last connection was closed; if another process still has it open, that process seals it. */
function writeSeal(path: string): void {
  try {
    if (isInUse(path)) return
    const seal = sealOf(path)
    if (!isInUse(path) && seal !== readIfThere(sealAt(path))) writeFileSync(sealAt(path), seal, { mode: 0o600 })
  } catch {
    // A missing seal only causes a rebuild.
  }
}

const removeSeal = (path: string): void => rmSync(sealAt(path), { force: true })

function sealOf(path: string): string {
  const bytes = readFileSync(path)
  return `${statSync(path).size} ${crc32(bytes)}\n`
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
