import { ownRows } from '../own-rows.ts'

/**
 * Search data of a project; derived from the texts sent to it. Chunk ids are assigned by the head and never reused;
 * those of a document are contiguous.
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
    // Joins compare with `end_chunk` directly: row-level security would keep a sum from using an index. Lines and
    // headings have one element per chunk.
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
    // Finds the document of a chunk; a document without chunks would hide the one with the same first chunk.
    'CREATE INDEX index_documents_by_chunk ON ken.index_documents (project, first_chunk) WHERE chunks > 0',
    // A few thousand chunks with their postings, from `number` up to that of the next segment; `documents` is read by
    // `segment.ts`. The generation is that of its last change: replicas read segments that are newer than their own.
    `CREATE TABLE ken.index_segments (
       project text NOT NULL,
       number bigint NOT NULL,
       generation bigint NOT NULL,
       chunks int NOT NULL,
       leaves int NOT NULL,
       documents bytea NOT NULL,
       PRIMARY KEY (project, number)
     )`,
    // Some terms of a segment, found by the hash of a term, each with its postings. One row per term would be mostly
    // row overhead.
    `CREATE TABLE ken.index_leaves (
       segment bigint NOT NULL,
       leaf int NOT NULL,
       project text NOT NULL,
       terms text[] NOT NULL,
       postings bytea[] NOT NULL,
       PRIMARY KEY (project, segment, leaf)
     )`,
    // Already compressed: compressing them again took time and saved no space.
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
    // The same bytes as numbers, which a half represents exactly.
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
