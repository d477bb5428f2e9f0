import { ownRows } from '../own-rows.ts'

/** Origin of a project's context, and its content: the active version and the one before it, file by file. */
export const contextGit = {
  name: 'context git',
  statements: () => [
    // `id`: of the setting. `credential` and `hook`: sealed. `version`: the active one, the last that was valid.
    `CREATE TABLE ken.context_origins (
       project text PRIMARY KEY,
       id text NOT NULL,
       address text NOT NULL,
       branch text NOT NULL,
       folder text NOT NULL,
       every integer CHECK (every > 0),
       credential bytea,
       hook bytea,
       set_by text NOT NULL,
       set_at timestamptz NOT NULL,
       looked_at timestamptz,
       looked_commit text,
       faults jsonb NOT NULL DEFAULT '[]',
       version text,
       taken_commit text,
       taken_at timestamptz,
       taken_files integer,
       taken_bytes bigint,
       taken_left jsonb NOT NULL DEFAULT '[]'
     )`,
    'CREATE INDEX context_origins_due ON ken.context_origins (looked_at) WHERE every IS NOT NULL',
    `CREATE TABLE ken.context_files (
       project text NOT NULL,
       version text NOT NULL,
       path text COLLATE "C" NOT NULL,
       bytes bytea NOT NULL,
       PRIMARY KEY (project, version, path)
     )`,
    ...['context_origins', 'context_files'].flatMap((table) => ownRows(table)),
  ],
}
