import { sqliteCode } from '../../../kernel/domain/disk-failure.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { chunksFrom } from './chunks.ts'
import { outlinesOf } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, coresSince } from './documents.ts'
import { mustBe, plus } from './seal.ts'
import { leavesOf, segmentsOf } from './segments.ts'
import { shelvesOf, vectorsSince } from './shelves.ts'

const CORRUPT = 11
const NOT_A_DATABASE = 26
// Reading failed, was short, or the file system reports damage: SQLITE_IOERR_READ, _SHORT_READ, _CORRUPTFS, _DATA.
const UNREADABLE = new Set([266, 522, 8202, 8458])
// PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, NOLFS: the environment of the file, not its
// contents.
const AROUND = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 22])

/** The index damage that a failure indicates; undefined if the index is sound and the cause is elsewhere. */
export function toDamage(
  error: unknown,
  database: Pick<IndexDatabase, 'rows' | 'each' | 'head'>,
): IndexDamaged | undefined {
  if (error instanceof IndexDamaged) return error
  if (error instanceof AppError) return undefined
  const code = sqliteCode(error)
  if (code === CORRUPT || code === NOT_A_DATABASE || UNREADABLE.has((error as { errcode?: number }).errcode ?? 0))
    return new IndexDamaged('its file is damaged', error)
  if (code !== undefined && AROUND.has(code)) return undefined
  if (
    typeof (error as { code?: unknown } | null)?.code === 'string' &&
    /^E[A-Z0-9]+$/.test((error as { code: string }).code)
  )
    return undefined
  try {
    examine(database)
    return undefined
  } catch (found) {
    return found instanceof IndexDamaged ? found : new IndexDamaged('its file cannot be read', found)
  }
}

/** Reads every page and every row. Throws if one of them is not as written. */
function examine(database: Pick<IndexDatabase, 'rows' | 'each' | 'head'>): void {
  const whole = database as IndexDatabase
  const [[verdict]] = database.rows('PRAGMA quick_check(1)') as [[string]]
  if (verdict !== 'ok') throw new IndexDamaged('its file is damaged', new Error(verdict))
  const head = database.head()
  allDocuments(whole)
  const cores = [...coresSince(whole, -1)]
  outlinesOf(
    whole,
    cores.reduce((sum, { outline }) => plus(sum, outline), 0),
  )
  for (const { firstChunk, chunks } of cores)
    mustBe(chunksFrom(whole, firstChunk, chunks).length, chunks, 'the parts of a document are')
  for (const segment of segmentsOf(whole, head)) leavesOf(whole, segment)
  for (const { embedder, tally } of shelvesOf(whole, head)) {
    let sum = 0
    for (const { seal } of vectorsSince(whole, embedder, -1)) sum = plus(sum, seal)
    mustBe(sum, tally, 'its vectors are')
  }
}
