import type { OpenWriter, SearchIndex } from '../../ports/search-index.ts'
import { compactIfWorthIt } from './compact.ts'
import type { IndexDatabase } from './database.ts'
import { openIndexDatabase } from './open-database.ts'
import { storeInto } from './shelves.ts'
import { writeBatch } from './write-batch.ts'

/** Writes batches in sequence and cleans up after them. */
export const writeInto =
  (database: IndexDatabase): SearchIndex['write'] =>
  async (batch) => {
    writeBatch(database, batch)
    compactIfWorthIt(database)
  }

/** A write-only connection for another thread. */
export const openWriter: OpenWriter = (path) => {
  const database = openIndexDatabase(path)
  return {
    write: writeInto(database),
    storeVectors: storeInto(database),
    async close() {
      database.close()
    },
  }
}
