/** Extent of a project's vectors in the server's vector index; only those of a large project are in it. */
export const nearVectors = {
  name: 'near vectors',
  statements: () => [
    // Vectors of chunks from this id on are in the index: all for 0, none for null. All existing vectors are in the
    // index; new projects start with null.
    'ALTER TABLE ken.index_heads ADD COLUMN near_from bigint DEFAULT 0',
    'ALTER TABLE ken.index_heads ALTER COLUMN near_from DROP DEFAULT',
  ],
}
