import { sqliteCode } from '../../../core/disk-failure.ts'
import { AppError } from '../../../core/errors.ts'
import { IndexDamaged } from '../../../core/index-damaged.ts'
import type { IndexDatabase } from './database.ts'
import { examine } from './examine.ts'

const CORRUPT = 11
const NOT_A_DATABASE = 26
// Reading failed, fell short, or the file system says that it is damaged: SQLITE_IOERR_READ, _SHORT_READ, _CORRUPTFS,
// _DATA.
const UNREADABLE = new Set([266, 522, 8202, 8458])
// PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, NOLFS: the world around the file, not its
// contents.
const AROUND = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 22])

/**
 * A failure as what it says about the index; undefined when the index is as it should be and the fault lies elsewhere.
 */
export function toDamage(error: unknown, database: Pick<IndexDatabase, 'rows' | 'head'>): IndexDamaged | undefined {
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
