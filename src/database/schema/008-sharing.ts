import { OWN_PROJECT, ownRows } from '../own-rows.ts'

/**
 * Texts that people share with a project: owned by their writer, and read by the whole project. The index is made from
 * `texts`.
 */
export const sharing = {
  name: 'sharing',
  statements: () => [
    // `workspace` is the hash that the sharer's machine uses for the folder.
    `CREATE TABLE ken.shares (
       project text NOT NULL,
       id text NOT NULL,
       person text NOT NULL,
       author text NOT NULL,
       workspace text NOT NULL,
       name text NOT NULL,
       opened_at timestamptz NOT NULL,
       uploaded_at timestamptz,
       PRIMARY KEY (project, id),
       UNIQUE (project, person, workspace)
     )`,
    // Without a share: written on the server. `hash` is the hash of the text as sent.
    `CREATE TABLE ken.shared_texts (
       project text NOT NULL,
       path text COLLATE "C" NOT NULL,
       share text,
       person text NOT NULL,
       author text NOT NULL,
       hash text NOT NULL,
       text text NOT NULL,
       PRIMARY KEY (project, path)
     )`,
    'CREATE INDEX shared_texts_of_share ON ken.shared_texts (project, share, path)',
    ...['shares', 'shared_texts'].flatMap((table) => [
      ...ownRows(table, 'project and person'),
      `CREATE POLICY shared_rows ON ken.${table} FOR SELECT USING (project = ${OWN_PROJECT})`,
    ]),
  ],
}
