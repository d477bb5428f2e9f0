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
    // Lines and headings have one element for each chunk.
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
       start_lines int[] NOT NULL,
       end_lines int[] NOT NULL,
       headings text[] NOT NULL,
       PRIMARY KEY (project, id)
     )`,
    'CREATE INDEX index_documents_by_path ON ken.index_documents (project, collection, path)',
    // Which document a chunk belongs to; one without chunks would hide the one that begins where it does.
    'CREATE INDEX index_documents_by_chunk ON ken.index_documents (project, first_chunk) WHERE chunks > 0',
    // Some thousand chunks whose postings stand together, from `number` to that of the next segment; `documents` is read
    // by `segment.ts`. The generation is that of its last change: replicas read what is newer than what they hold.
    `CREATE TABLE ken.index_segments (
       project text NOT NULL,
       number bigint NOT NULL,
       generation bigint NOT NULL,
       chunks int NOT NULL,
       leaves int NOT NULL,
       documents bytea NOT NULL,
       PRIMARY KEY (project, number)
     )`,
    // Some terms of a segment, which the hash of a term leads to, and for each of them where it stands. One row for each
    // term would be mostly what a row costs.
    `CREATE TABLE ken.index_leaves (
       segment bigint NOT NULL,
       leaf int NOT NULL,
       project text NOT NULL,
       terms text[] NOT NULL,
       postings bytea[] NOT NULL,
       PRIMARY KEY (project, segment, leaf)
     )`,
    // They are packed already: compressing them again took time and made nothing smaller.
    'ALTER TABLE ken.index_leaves ALTER COLUMN postings SET STORAGE EXTERNAL',
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
    ...['heads', 'documents', 'segments', 'leaves', 'vectors', 'outlines'].flatMap((table) =>
      ownRows(`index_${table}`),
    ),
  ],
}
