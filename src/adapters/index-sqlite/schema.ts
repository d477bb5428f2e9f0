import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { AppError } from '../../core/errors.ts'
import { packTerms } from '../../core/search/packed-postings.ts'
import { insertSegment } from './segments.ts'

/** Each entry brings a database one version further; entries are never changed once released, only added. */
const MIGRATIONS: readonly (string | ((database: DatabaseSync) => void))[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO meta VALUES ('generation', 0), ('next_chunk', 0), ('epoch', 0);
   CREATE TABLE document (
     id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL, trust TEXT NOT NULL,
     project TEXT, tags TEXT NOT NULL, modified INTEGER NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL, hash TEXT NOT NULL, superseded_by TEXT,
     first_chunk INTEGER NOT NULL, chunks INTEGER NOT NULL, generation INTEGER NOT NULL
   );
   CREATE UNIQUE INDEX document_place ON document (collection, path);
   CREATE INDEX document_path ON document (path);
   CREATE INDEX document_generation ON document (generation);
   CREATE TABLE block (id INTEGER PRIMARY KEY, lengths BLOB NOT NULL);
   CREATE TABLE chunk (id INTEGER PRIMARY KEY, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, heading TEXT NOT NULL);
   CREATE TABLE posting (block INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (block, term)) WITHOUT ROWID;
   CREATE TABLE removed (generation INTEGER NOT NULL, document INTEGER NOT NULL);
   CREATE INDEX removed_generation ON removed (generation);
   CREATE TABLE vector (chunk INTEGER NOT NULL, embedder TEXT NOT NULL, scale REAL NOT NULL, data BLOB NOT NULL, generation INTEGER NOT NULL);
   CREATE UNIQUE INDEX vector_place ON vector (embedder, chunk);
   CREATE INDEX vector_generation ON vector (generation);`,
  // Which workspace a document belongs to: the folder of a session file says it, everything else belongs to all.
  `ALTER TABLE document ADD COLUMN project_hash TEXT NOT NULL DEFAULT 'global';
   UPDATE document SET project_hash = substr(path, instr(path, '/sessions/') + 10, 12)
     WHERE substr(path, instr(path, '/sessions/') + 10, 13) GLOB '[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]/'
       AND instr(path, '/sessions/') > 0;
   UPDATE meta SET value = value + 1 WHERE key = 'epoch';`,
  `CREATE TABLE symbol (document INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, within TEXT NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL);
   CREATE INDEX symbol_name ON symbol (name);
   CREATE INDEX symbol_document ON symbol (document, start_line);
   CREATE TABLE code_import (document INTEGER NOT NULL, module TEXT NOT NULL, line INTEGER NOT NULL);
   CREATE INDEX import_document ON code_import (document);
   CREATE TABLE code_call (document INTEGER NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL);
   CREATE INDEX call_name ON code_call (name);
   CREATE INDEX call_document ON code_call (document);`,
  toSegments,
  // The few places that documents have in common, so that a search reads a number for each document instead of four texts.
  `CREATE TABLE place (id INTEGER PRIMARY KEY, collection TEXT NOT NULL, origin TEXT NOT NULL, project_hash TEXT NOT NULL, project TEXT NOT NULL, UNIQUE (collection, origin, project_hash, project));
   INSERT INTO place (collection, origin, project_hash, project) SELECT DISTINCT collection, origin, project_hash, ifnull(project, '') FROM document;
   ALTER TABLE document ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
   UPDATE document SET place = (SELECT id FROM place p WHERE p.collection = document.collection AND p.origin = document.origin AND p.project_hash = document.project_hash AND p.project = ifnull(document.project, ''));`,
  // Texts were not redacted before they were indexed: the next update reads every file again.
  `UPDATE document SET hash = '', mtime = 0;`,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Brings the schema up to date; several processes may try at once. */
export function migrate(database: DatabaseSync, path: string, target = SCHEMA_VERSION): void {
  if (versionOf(database) === target) return
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    if (version > target) {
      throw new AppError('unavailable', `${path} was written by a newer Ken (schema ${version}, this one knows ${target}).`, {
        hint: 'Update Ken, or delete that file: `ken update` makes it again.',
      })
    }
    for (const step of MIGRATIONS.slice(version, target)) {
      if (typeof step === 'string') database.exec(step)
      else step(database)
    }
    database.exec(`PRAGMA user_version = ${target}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const versionOf = (database: DatabaseSync): number => (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

/** A row per block and term becomes a row per leaf of a segment. */
function toSegments(database: DatabaseSync): void {
  const BLOCK = 4096
  database.exec(`CREATE TABLE segment (first INTEGER PRIMARY KEY, span INTEGER NOT NULL, leaves INTEGER NOT NULL, lengths BLOB NOT NULL);
    CREATE TABLE leaf (id INTEGER PRIMARY KEY, terms TEXT NOT NULL, data BLOB NOT NULL)`)
  const numbersOf = (data: Uint8Array) => new Uint32Array(data.slice().buffer)
  const run = (sql: string, ...values: SQLInputValue[]) => void database.prepare(sql).run(...values)
  for (const { id, lengths } of database.prepare('SELECT id, lengths FROM block').all() as { id: number; lengths: Uint8Array }[]) {
    const rows = database.prepare('SELECT term, data FROM posting WHERE block = ?').all(id) as { term: string; data: Uint8Array }[]
    insertSegment({ run }, { first: id * BLOCK, lengths: numbersOf(lengths), postings: packTerms(rows.map(({ term }) => term), (i) => numbersOf(rows[i]!.data)) })
  }
  database.exec('DROP TABLE block; DROP TABLE posting')
}
