/** How far the vectors of a project are in the server's vector index; only those of a large one are. */
export const nearVectors = {
  name: 'near vectors',
  statements: () => [
    // Vectors of chunks from here on are in it: all for 0, none for null. All existing vectors were put there; new
    // projects start with null.
    'ALTER TABLE ken.index_heads ADD COLUMN near_from bigint DEFAULT 0',
    'ALTER TABLE ken.index_heads ALTER COLUMN near_from DROP DEFAULT',
  ],
}
