import type { IndexDatabase } from './database.ts'
import { loadLengths } from './resident.ts'
import { BLOCK, embeddersOf, insertLengths } from './write-batch.ts'

// Postings of chunks that are gone cost time in every question that names their terms.
const LEAST_GONE = 4 * BLOCK

/** Rewrites the postings without chunks that are gone, once they are as many as those that are left. */
export function compactIfWorthIt(database: IndexDatabase): void {
  const made = database.number('next_chunk')
  if (made < LEAST_GONE) return
  const [live] = database.rows('SELECT count(*) FROM chunk')[0] as [number]
  if (made - live < Math.max(LEAST_GONE, live)) return
  compact(database)
}

export function compact(database: IndexDatabase): void {
  database.change(() => {
    const lengths = loadLengths(database)
    const newId = renumber(database)
    const kept = [...newId.keys()].filter((id) => newId[id]! >= 0).map((id) => lengths[id]!)
    database.run('DELETE FROM block')
    insertLengths(database, kept, 0)
    database.run('CREATE TEMP TABLE kept (block INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (block, term)) WITHOUT ROWID')
    const blocks = Math.ceil(database.number('next_chunk') / BLOCK)
    for (let block = 0; block < blocks; block++) {
      for (const [term, data] of database.rows('SELECT term, data FROM posting WHERE block = ?', block) as [string, Uint8Array][]) {
        keep(database, term, { block, data, newId })
      }
    }
    database.run('DELETE FROM posting')
    database.run('INSERT INTO posting SELECT * FROM kept ORDER BY block, term')
    database.run('DROP TABLE kept')
    database.run('DELETE FROM removed')
    database.run("UPDATE meta SET value = (SELECT count(*) FROM chunk) WHERE key = 'next_chunk'")
    database.run("UPDATE meta SET value = value + 1 WHERE key = 'epoch'")
  })
}

/** Chunk ids without gaps, in the old order. New ids are never larger than old ones, so no update meets a taken one. */
function renumber(database: IndexDatabase): Int32Array {
  const newId = new Int32Array(database.number('next_chunk')).fill(-1)
  const embedders = embeddersOf(database)
  const ids = database.rows('SELECT id FROM chunk ORDER BY id') as [number][]
  ids.forEach(([id], at) => {
    newId[id] = at
    if (id === at) return
    database.run('UPDATE chunk SET id = ? WHERE id = ?', at, id)
    for (const embedder of embedders) database.run('UPDATE vector SET chunk = ? WHERE embedder = ? AND chunk = ?', at, embedder, id)
  })
  for (const [document, first] of database.rows('SELECT id, first_chunk FROM document WHERE chunks > 0') as [number, number][]) {
    database.run('UPDATE document SET first_chunk = ? WHERE id = ?', newId[first]!, document)
  }
  return newId
}

function keep(database: IndexDatabase, term: string, { block, data, newId }: { block: number; data: Uint8Array; newId: Int32Array }): void {
  const byBlock = new Map<number, number[]>()
  for (const entry of new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2)) {
    const id = newId[block * BLOCK + (entry & 0xffff)]!
    if (id < 0) continue
    const target = Math.floor(id / BLOCK)
    byBlock.set(target, [...(byBlock.get(target) ?? []), (((id % BLOCK) | (entry & 0xffff0000)) >>> 0)])
  }
  for (const [target, entries] of byBlock) {
    database.run('INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)', target, term, new Uint8Array(Uint32Array.from(entries).buffer))
  }
}
