import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inTransaction, prepareOnce, type Statements } from '../sqlite-statements.ts'
import { withLock } from '../with-lock.ts'
import { useWriteAheadLog } from '../write-ahead-log.ts'
import { checkSeal, removeSeal, writeSeal } from './cache-seal.ts'

/**
 * What Ken derived from a record. Everything in it can be made again, so any fault of it is answered by starting over.
 */
export interface CacheDatabase extends Pick<Statements, 'rows' | 'run'> {
  number(key: string): number
  setNumber(key: string, value: number): void
  /** All of `work` or nothing; synchronous, so that no other caller of this process gets in between. */
  transaction<T>(work: () => T): T
  /**
   * Throws the contents away; numbers read before are void, which a new `epoch` tells. What comes next is kept in memory
   * alone where the disk would not take it.
   */
  reset(keep?: 'in memory'): void
  readonly epoch: number
  close(): void
}

const SCHEMA_VERSION = 9
// Milliseconds; others hold it for the length of one batch of the index.
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
 * Opens the cache at `path`, makes it new when it is missing or damaged, and keeps it in memory where it cannot be
 * stored.
 */
export function openCacheDatabase(path: string): CacheDatabase {
  const [found, first] = alone(path, () => {
    const seal = checkSeal(path)
    if (seal === 'changed') removeFiles(path)
    return [seal, openOrRenew(path)] as const
  })
  let database = first
  // One that could not be checked is never sealed either: it is rebuilt once nobody uses it.
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

/** A cache that goes with this process. */
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
 * A cache is opened, closed and taken away by one process at a time: none opens what another one takes away, or finds it
 * closed and not yet sealed. Without the lock, as on a disk that is read-only, the work is tried all the same.
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

/** Two processes may open a new cache at once; the second finds the schema there. */
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
