import type { OpenWriter } from '../../ports/search-index.ts'
import { compactIfWorthIt } from './compact.ts'
import { openIndexDatabase } from './database.ts'
import { writeBatch } from './write-batch.ts'

/** A connection of another thread, which only writes. */
export const openWriter: OpenWriter = (path) => {
  const database = openIndexDatabase(path)
  return {
    async write(batch) {
      writeBatch(database, batch)
      compactIfWorthIt(database)
    },
    async close() {
      database.close()
    },
  }
}
