import { ownRows } from '../own-rows.ts'

/**
 * What a project's search looks in; derived from what was sent. Ids of chunks are given out by the head and never again;
 * those of a document are neighbours.
 */
export const index = {
  name: 'index',
  statements: ({ hasVectors }: { readonly hasVectors: boolean }) => [
    `CREATE TABLE ken.index_heads (
       project text PRIMARY KEY,
       generation bigint NOT NULL DEFAULT 1,
       epoch int NOT NULL DEFAULT 0,
       next_chunk bigint NOT NULL DEFAULT 0,
       unfinished boolean NOT NULL DEFAULT false,
       documents int NOT NULL DEFAULT 0,
       chunks int NOT NULL DEFAULT 0,
       length bigint NOT NULL DEFAULT 0,
       postings bigint NOT NULL DEFAULT 0
     ) WITH (fillfactor = 50)`,
    // Joins compare with `end_chunk` as it stands: a sum would be a function that row-level security keeps from an index.
    // `lengths` has one number for each chunk; `terms` is what must be looked up to take the document out again.
    `CREATE TABLE ken.index_documents (
       project text NOT NULL,
       id bigint NOT NULL,
       first_chunk bigint NOT NULL,
       end_chunk bigint NOT NULL,
       chunks int NOT NULL,
       length bigint NOT NULL,
       modified float8 NOT NULL,
       size float8 NOT NULL,
       mtime float8 NOT NULL,
       collection text NOT NULL,
       path text NOT NULL,
       entry text,
       title text NOT NULL,
       origin text NOT NULL,
       trust text NOT NULL,
       workspace text NOT NULL,
       record text,
       laid_as text,
       laid_by text,
       hash text NOT NULL,
       tags jsonb NOT NULL,
       tag_words text[] NOT NULL,
       lengths int[] NOT NULL,
       terms text[] NOT NULL,
       PRIMARY KEY (project, id)
     )`,
    'CREATE INDEX index_documents_by_path ON ken.index_documents (project, collection, path)',
    `CREATE TABLE ken.index_chunks (
       project text NOT NULL,
       id bigint NOT NULL,
       document bigint NOT NULL,
       length int NOT NULL,
       start_line int NOT NULL,
       end_line int NOT NULL,
       marks smallint NOT NULL,
       heading text NOT NULL,
       PRIMARY KEY (project, id)
     )`,
    // In how many chunks and documents a term stands: no question counts its postings.
    `CREATE TABLE ken.index_terms (
       project text NOT NULL,
       term text COLLATE "C" NOT NULL,
       chunks int NOT NULL,
       documents int NOT NULL,
       PRIMARY KEY (project, term)
     ) WITH (fillfactor = 80)`,
    // Length and marks of the chunk once more, so that scoring reads no other table for it.
    `CREATE TABLE ken.index_postings (
       chunk bigint NOT NULL,
       document bigint NOT NULL,
       length int NOT NULL,
       count smallint NOT NULL,
       marks smallint NOT NULL,
       project text NOT NULL,
       term text COLLATE "C" NOT NULL,
       PRIMARY KEY (project, term, chunk)
     )`,
    `CREATE TABLE ken.index_vectors (
       project text NOT NULL,
       chunk bigint NOT NULL,
       document bigint NOT NULL,
       dimensions int NOT NULL,
       scale real NOT NULL,
       embedder text NOT NULL,
       bytes bytea NOT NULL,
       PRIMARY KEY (project, chunk, embedder)
     )`,
    // The same bytes as numbers, which a half holds exactly.
    ...(hasVectors ? ['ALTER TABLE ken.index_vectors ADD COLUMN near halfvec'] : []),
    `CREATE TABLE ken.index_outlines (
       project text NOT NULL,
       document bigint NOT NULL,
       definitions text NOT NULL,
       imports text NOT NULL,
       calls text NOT NULL,
       PRIMARY KEY (project, document)
     )`,
    ...['heads', 'documents', 'chunks', 'terms', 'postings', 'vectors', 'outlines'].flatMap((table) =>
      ownRows(`index_${table}`),
    ),
  ],
}
