import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../kernel/domain/errors.ts'
import { inTransaction } from '../../../kernel/system/sqlite-statements.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { newHead, writeHead } from './head.ts'

/** Changes with the schema; an index with an older version is rebuilt. */
export const SCHEMA_VERSION = 8

// Repeats the version next to "Ken", so that a flipped bit is not mistaken for a newer version of Ken.
const MARK = 0x4b656e00

/**
 * Every row can be checked: by its own `seal`, and by the tally of the seals of its kind one level up. head → place →
 * document → outline; head → segment → leaf (all of them exist); head → shelf → vector; document → chunk (likewise).
 */
const SCHEMA: readonly string[] = [
  'CREATE TABLE head (one INTEGER PRIMARY KEY, generation INTEGER NOT NULL, epoch INTEGER NOT NULL, next_chunk INTEGER NOT NULL, unfinished INTEGER NOT NULL, places INTEGER NOT NULL, segments INTEGER NOT NULL, shelves INTEGER NOT NULL, seal INTEGER NOT NULL)',
  // The few places that documents share, so that a search reads one number per document instead of four texts.
  'CREATE TABLE place (id INTEGER PRIMARY KEY, collection TEXT NOT NULL, origin TEXT NOT NULL, project_hash TEXT NOT NULL, project TEXT NOT NULL, documents INTEGER NOT NULL, chunks INTEGER NOT NULL, tally INTEGER NOT NULL, seal INTEGER NOT NULL)',
  `CREATE TABLE document (
    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, modified INTEGER NOT NULL, laid_aside TEXT, first_chunk INTEGER NOT NULL, chunks INTEGER NOT NULL, generation INTEGER NOT NULL,
    outline INTEGER NOT NULL, facts INTEGER NOT NULL, seal INTEGER NOT NULL,
    collection TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL, trust TEXT NOT NULL, project_hash TEXT NOT NULL, project TEXT,
    tags TEXT NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL, hash TEXT NOT NULL, entry TEXT)`,
  'CREATE INDEX document_place ON document (place)',
  'CREATE INDEX document_generation ON document (generation)',
  'CREATE TABLE chunk (id INTEGER PRIMARY KEY, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, heading TEXT NOT NULL, seal INTEGER NOT NULL)',
  'CREATE TABLE segment (first INTEGER PRIMARY KEY, span INTEGER NOT NULL, leaves INTEGER NOT NULL, generation INTEGER NOT NULL, lengths BLOB NOT NULL, seal INTEGER NOT NULL)',
  'CREATE TABLE leaf (id INTEGER PRIMARY KEY, terms TEXT NOT NULL, data BLOB NOT NULL, seal INTEGER NOT NULL)',
  'CREATE TABLE removed (first INTEGER NOT NULL, document INTEGER NOT NULL, generation INTEGER NOT NULL, chunks INTEGER NOT NULL, seal INTEGER NOT NULL, PRIMARY KEY (first, document, generation)) WITHOUT ROWID',
  'CREATE INDEX removed_generation ON removed (generation)',
  'CREATE TABLE shelf (embedder TEXT PRIMARY KEY, vectors INTEGER NOT NULL, tally INTEGER NOT NULL, seal INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE vector (chunk INTEGER NOT NULL, embedder TEXT NOT NULL, scale REAL NOT NULL, data BLOB NOT NULL, generation INTEGER NOT NULL, seal INTEGER NOT NULL)',
  'CREATE UNIQUE INDEX vector_place ON vector (embedder, chunk)',
  'CREATE INDEX vector_generation ON vector (generation)',
  'CREATE TABLE outline (document INTEGER PRIMARY KEY, path TEXT NOT NULL, definitions TEXT NOT NULL, imports TEXT NOT NULL, calls TEXT NOT NULL, seal INTEGER NOT NULL)',
]

/**
 * Creates the tables of a new index, which several processes may try at once. An index that is `unfinished` still has
 * to be filled.
 */
export function createSchema(
  database: DatabaseSync,
  first: { readonly generation: number; readonly unfinished: boolean },
): void {
  inTransaction(database, 'BEGIN IMMEDIATE', () => {
    if (objectsOf(database).length > 0) return
    for (const statement of SCHEMA) database.exec(statement)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${MARK + SCHEMA_VERSION}`)
    writeHead((sql, ...values) => void database.prepare(sql).run(...values), {
      ...newHead(),
      generation: first.generation,
      unfinished: first.unfinished ? 1 : 0,
    })
  })
}

/** Throws if the tables and indexes are not exactly those of this version. */
export function checkSchema(database: DatabaseSync, path: string): void {
  const found = objectsOf(database)
  const version = pragma(database, 'user_version')
  if (
    version === SCHEMA_VERSION &&
    found.length === SCHEMA.length &&
    found.toSorted().every((sql, i) => sql === SORTED[i])
  )
    return
  if (version > SCHEMA_VERSION && (found.length === 0 || pragma(database, 'application_id') === MARK + version))
    throw tooNew(path, version)
  if (version > 0 && version < SCHEMA_VERSION) throw new IndexDamaged('an earlier Ken made it')
  throw new IndexDamaged('its tables are not those that Ken made')
}

export const isEmpty = (database: DatabaseSync): boolean =>
  objectsOf(database).length === 0 && pragma(database, 'user_version') === 0

const SORTED = SCHEMA.toSorted()

const objectsOf = (database: DatabaseSync): string[] =>
  database
    .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .all()
    .map(({ sql }) => String(sql))

const pragma = (database: DatabaseSync, name: 'user_version' | 'application_id'): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()![name])

const tooNew = (path: string, version: number): AppError =>
  new AppError(
    'unavailable',
    `${path} was written by a newer Ken (schema ${version}, this one knows ${SCHEMA_VERSION}).`,
    {
      hint: 'Update Ken, or delete that file and run `ken update`.',
    },
  )
