import { ownRows } from '../own-rows.ts'

const TABLES = ['records', 'record_texts', 'record_files', 'record_events', 'record_snapshots']

/** Records: every state of every file, the journal line by line, and the revisions that snapshots name. */
export const record = {
  name: 'record',
  statements: () => [
    // `rewritten` counts rewrites of the past, after which nothing read before is valid. `journal` is the end of the
    // lines. `points` and `decisions` are sums over the content of a snapshot; null if they must be counted again.
    `CREATE TABLE ken.records (
       project text PRIMARY KEY REFERENCES ken.projects ON DELETE CASCADE,
       revision bigint NOT NULL DEFAULT 0,
       rewritten bigint NOT NULL DEFAULT 0,
       journal jsonb NOT NULL DEFAULT '{"size": 0, "lines": 0, "tips": []}',
       last_event text,
       last_snapshot bigint NOT NULL DEFAULT 0,
       points bigint,
       decisions bigint
     )`,
    `CREATE TABLE ken.record_texts (
       project text NOT NULL REFERENCES ken.records ON DELETE CASCADE,
       sha256 text NOT NULL,
       text text NOT NULL,
       points bigint GENERATED ALWAYS AS (char_length(text)) STORED,
       PRIMARY KEY (project, sha256)
     )`,
    // A file from `revision` on, up to but excluding `until`; no hash while it is missing.
    `CREATE TABLE ken.record_files (
       project text NOT NULL REFERENCES ken.records ON DELETE CASCADE,
       path text NOT NULL,
       revision bigint NOT NULL,
       until bigint,
       sha256 text,
       PRIMARY KEY (project, path, revision)
     )`,
    'CREATE UNIQUE INDEX record_files_now ON ken.record_files (project, path) WHERE until IS NULL',
    'CREATE INDEX record_files_since ON ken.record_files (project, revision) WHERE until IS NULL',
    'CREATE INDEX record_files_of_text ON ken.record_files (project, sha256)',
    // The exact line, without its line end. No id if it is not an event.
    `CREATE TABLE ken.record_events (
       project text NOT NULL REFERENCES ken.records ON DELETE CASCADE,
       place bigint NOT NULL,
       revision bigint NOT NULL,
       id text,
       line text NOT NULL,
       PRIMARY KEY (project, place)
     )`,
    'CREATE INDEX record_events_by_id ON ken.record_events (project, id)',
    // The record as of `revision`.
    `CREATE TABLE ken.record_snapshots (
       project text NOT NULL REFERENCES ken.records ON DELETE CASCADE,
       version bigint NOT NULL,
       revision bigint NOT NULL,
       at text NOT NULL,
       trigger text NOT NULL,
       detail text NOT NULL,
       token_count bigint NOT NULL,
       decisions bigint NOT NULL,
       seal text NOT NULL,
       PRIMARY KEY (project, version)
     )`,
    ...TABLES.flatMap((table) => ownRows(table)),
  ],
}
