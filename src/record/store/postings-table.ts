import type { CacheDatabase } from './cache-database.ts'

/** The part of a decision that a term is in. */
export const TEXT = 0
export const REASONS = 1
export const NAMES = 2
export type Field = typeof TEXT | typeof REASONS | typeof NAMES

// A new decision touches only the last block of each of its terms; 4,096 documents of four bytes make 16 KB at most.
const BLOCK_BITS = 12
const IN_BLOCK = (1 << BLOCK_BITS) - 1
const MOST_COUNTED = 0xffff

/** Collects postings of new documents, in ascending order, and appends them to the table. */
export function openPostingsWriter(cache: CacheDatabase) {
  const pending = new Map<string, number[]>()
  return {
    add(field: Field, doc: number, terms: ReadonlyMap<string, number>): void {
      for (const [term, count] of terms) {
        const key = `${field}${doc >> BLOCK_BITS}\0${term}`
        const list = pending.get(key)
        const entry = ((doc & IN_BLOCK) | (Math.min(count, MOST_COUNTED) << 16)) >>> 0
        if (list === undefined) pending.set(key, [entry])
        else list.push(entry)
      }
    },
    flush(): void {
      for (const [key, entries] of pending) {
        const at = key.indexOf('\0')
        cache.run(
          'INSERT INTO postings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)',
          Number(key[0]),
          key.slice(at + 1),
          Number(key.slice(1, at)),
          new Uint8Array(Uint32Array.from(entries).buffer),
        )
      }
      pending.clear()
    },
  }
}

/** The stored postings of a term in ascending order of document, including those of replaced and removed documents. */
export function loadPostings(
  cache: CacheDatabase,
  field: Field,
  term: string,
): { docs: Uint32Array; counts: Uint16Array } {
  const rows = cache.rows(
    'SELECT block, data FROM postings WHERE field = ? AND term = ? ORDER BY block',
    field,
    term,
  ) as [number, Uint8Array][]
  const size = rows.reduce((sum, [, data]) => sum + (data.byteLength >> 2), 0)
  const docs = new Uint32Array(size)
  const counts = new Uint16Array(size)
  let at = 0
  for (const [block, data] of rows) {
    for (const entry of new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2)) {
      docs[at] = (block << BLOCK_BITS) + (entry & 0xffff)
      counts[at++] = entry >>> 16
    }
  }
  return { docs, counts }
}
