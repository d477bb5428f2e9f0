import type { CatalogueEntry, UnreadableFile } from '../domain/decision/catalogue.ts'
import type { CacheDatabase } from './cache-database.ts'
import { openPostingsWriter, NAMES, REASONS, TEXT } from './postings-table.ts'
import type { DecisionReading } from './read-decision.ts'

/** A decision file as cached. */
export interface FileRow {
  readonly stem: string
  /** Null if the file was deleted. */
  readonly stamp: string | null
  /** Document number in the postings; null if there is nothing to index. */
  readonly doc: number | null
  readonly length: number
  readonly uses: number
  readonly reasonLength: number
  readonly reasonUses: number
  readonly entry: CatalogueEntry | undefined
  readonly fault: UnreadableFile | undefined
}

export interface FileNews {
  readonly stem: string
  /** Undefined if the file is gone. */
  readonly found: { readonly stamp: string; readonly reading: DecisionReading } | undefined
}

const COLUMNS = 'stem, stamp, doc, length, uses, reason_length, reason_uses, entry, fault'

/**
 * The rows in memory, kept in sync with those stored by this and other processes. Calls `onChange` whenever they
 * change.
 */
export function openFileRows(cache: CacheDatabase, onChange: () => void) {
  const known = new Map<string, FileRow>()
  let generation = -1

  const take = (row: FileRow): void => void (row.stamp === null ? known.delete(row.stem) : known.set(row.stem, row))

  /** Loads rows that this and other processes have stored since the last load. */
  function catchUp(): void {
    const stored = cache.number('generation')
    if (stored === generation) return
    if (stored < generation) known.clear()
    loadRows(cache, stored < generation ? 0 : Math.max(generation, 0)).forEach(take)
    generation = stored
    onChange()
  }

  return {
    known: known as ReadonlyMap<string, FileRow>,
    /** Loads the stored rows, once. */
    load(): void {
      if (generation < 0) catchUp()
    },
    /** Writes new rows to the cache in one transaction. */
    store(news: readonly FileNews[]): void {
      cache.transaction(() => {
        catchUp()
        const fresh = news.filter(({ stem, found }) => known.get(stem)?.stamp !== found?.stamp)
        if (fresh.length === 0) return
        writeNews(cache, fresh, generation + 1).forEach(take)
        cache.setNumber('generation', ++generation)
        onChange()
      })
    },
    /** Drops everything, for a cache that is rebuilt. */
    clear(): void {
      known.clear()
      generation = -1
      onChange()
    },
  }
}

/** Everything written after `generation`; 0 returns all. */
function loadRows(cache: CacheDatabase, generation: number): FileRow[] {
  return cache.rows(`SELECT ${COLUMNS} FROM files WHERE generation > ?`, generation).map(toRow)
}

/**
 * Writes changes and returns the new rows. Runs inside a transaction, with the rows of all other processes already
 * loaded.
 */
function writeNews(cache: CacheDatabase, news: readonly FileNews[], generation: number): FileRow[] {
  const postings = openPostingsWriter(cache)
  let nextDoc = cache.number('next_doc')
  for (const { stem, found } of news) {
    if (found === undefined) {
      cache.run(
        'UPDATE files SET stamp = NULL, hash = NULL, points = 0, doc = NULL, words = NULL, entry = NULL, fault = NULL, generation = ? WHERE stem = ?',
        generation,
        stem,
      )
      continue
    }
    const { reading } = found
    const [known] = cache.rows('SELECT doc, words FROM files WHERE stem = ?', stem) as [number | null, string | null][]
    let doc = reading.words !== undefined && known?.[1] === reading.words ? known[0] : null
    if (doc === null && reading.words !== undefined) {
      doc = nextDoc++
      postings.add(TEXT, doc, reading.text.terms)
      postings.add(REASONS, doc, reading.reasons.terms)
      postings.add(NAMES, doc, reading.names)
    }
    upsert(cache, stem, { ...found, doc, generation })
  }
  postings.flush()
  cache.setNumber('next_doc', nextDoc)
  return news.flatMap(({ stem }) => cache.rows(`SELECT ${COLUMNS} FROM files WHERE stem = ?`, stem).map(toRow))
}

function upsert(
  cache: CacheDatabase,
  stem: string,
  row: { stamp: string; reading: DecisionReading; doc: number | null; generation: number },
): void {
  const { reading } = row
  cache.run(
    `INSERT INTO files (stem, stamp, hash, points, generation, doc, words, length, uses, reason_length, reason_uses, entry, fault)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (stem) DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash, points = excluded.points, generation = excluded.generation,
       doc = excluded.doc, words = excluded.words, length = excluded.length, uses = excluded.uses, reason_length = excluded.reason_length,
       reason_uses = excluded.reason_uses, entry = excluded.entry, fault = excluded.fault`,
    stem,
    row.stamp,
    reading.hash,
    reading.points,
    row.generation,
    row.doc,
    reading.words ?? null,
    reading.text.length,
    reading.text.uses,
    reading.reasons.length,
    reading.reasons.uses,
    toJson(reading.entry),
    toJson(reading.fault),
  )
}

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

function toRow([stem, stamp, doc, length, uses, reasonLength, reasonUses, entry, fault]: unknown[]): FileRow {
  return {
    stem: stem as string,
    stamp: stamp as string | null,
    doc: doc as number | null,
    length: (length as number | null) ?? 0,
    uses: (uses as number | null) ?? 0,
    reasonLength: (reasonLength as number | null) ?? 0,
    reasonUses: (reasonUses as number | null) ?? 0,
    entry: entry === null ? undefined : (JSON.parse(entry as string) as CatalogueEntry),
    fault: fault === null ? undefined : (JSON.parse(fault as string) as UnreadableFile),
  }
}
