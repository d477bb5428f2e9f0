/** How far the vectors of a project stand in the server's own index of vectors; only those of a large one do. */
export const nearVectors = {
  name: 'near vectors',
  statements: () => [
    // Vectors of chunks from here on stand there: of all for 0, of none without a value. What is there already was all put
    // there; a project that comes from now on has no value.
    'ALTER TABLE ken.index_heads ADD COLUMN near_from bigint DEFAULT 0',
    'ALTER TABLE ken.index_heads ALTER COLUMN near_from DROP DEFAULT',
  ],
}
