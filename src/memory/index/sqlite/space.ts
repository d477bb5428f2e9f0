import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { IndexSpace } from '../../ports/index-space.ts'
import { compact } from './compact.ts'
import type { IndexDatabase } from './database.ts'
import { openIndexDatabase } from './open-database.ts'
import { placesOf } from './places.ts'
import { changeRegistry, shelvesOf, takeVectors } from './shelves.ts'

// Postings are about half of an index without vectors; those of removed chunks stay until they are rewritten.
const POSTINGS = 0.5
const TRUNCATIONS = 3

/** Opens the index only for each call, so that it holds no lock and no memory between two cycles. */
export function openIndexSpace(path: string): IndexSpace {
  const withIndex = async <T>(nothing: T, work: (database: IndexDatabase) => T | Promise<T>): Promise<T> => {
    if (!existsSync(path)) return nothing
    const database = openIndexDatabase(path)
    try {
      return await work(database)
    } finally {
      database.close()
    }
  }
  return {
    usage: () =>
      withIndex({ bytes: 0, wasted: 0, sessionShare: 0 }, (database) => database.look(() => usageOf(database))),
    removeOrphans: () => withIndex(0, removeOrphans),
    removeVectors: (isUnwanted) => withIndex(0, (database) => removeVectors(database, isUnwanted)),
    reclaim: () => withIndex(undefined, rewrite),
  }
}

async function rewrite(database: IndexDatabase): Promise<void> {
  try {
    compact(database)
    database.run('VACUUM')
    await emptyLog(database)
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new AppError('unavailable', 'Another process is writing to the index, so its space can’t be freed now.', {
      hint: 'Try again shortly.',
      cause: error,
    })
  }
}

function usageOf(database: IndexDatabase) {
  const bytes = ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${database.path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const one = (sql: string): number => Number(database.rows(sql)[0]![0] ?? 0)
  const unused = one('PRAGMA freelist_count') * one('PRAGMA page_size')
  const head = database.head()
  const live = placesOf(database, head).reduce((sum, { chunks }) => sum + chunks, 0)
  const gone = head.nextChunk === 0 ? 0 : (head.nextChunk - live) / head.nextChunk
  const text = one('SELECT sum(size) FROM document')
  const sessions = one("SELECT sum(size) FROM document WHERE origin = 'session'")
  const wasted = Math.min(bytes, Math.round(unused + gone * POSTINGS * (bytes - unused)))
  return { bytes, wasted, sessionShare: text === 0 ? 0 : sessions / text }
}

function removeVectors(database: IndexDatabase, isUnwanted: (embedder: string) => boolean): number {
  return database.change((head) => {
    let removed = 0
    for (const { embedder, vectors } of shelvesOf(database, head).filter((shelf) => isUnwanted(shelf.embedder))) {
      changeRegistry(database, head, embedder, (shelf) => takeVectors(database, shelf, 0, Number.MAX_SAFE_INTEGER))
      removed += vectors
    }
    return removed
  })
}

function removeOrphans(database: IndexDatabase): number {
  const lost = database.rows(
    'SELECT embedder, chunk FROM vector WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.id = vector.chunk)',
  ) as [string, number][]
  if (lost.length === 0) return 0
  database.change((head) => {
    for (const [embedder, chunk] of lost)
      changeRegistry(database, head, embedder, (shelf) => takeVectors(database, shelf, chunk, 1))
  })
  return lost.length
}

/** A running search keeps the log from being truncated, but never for long. */
async function emptyLog(database: IndexDatabase): Promise<void> {
  for (let tries = 0; tries < TRUNCATIONS; tries++) {
    const [busy] = database.rows('PRAGMA wal_checkpoint(TRUNCATE)')[0] as [number]
    if (busy === 0) return
    await sleep(50)
  }
}
