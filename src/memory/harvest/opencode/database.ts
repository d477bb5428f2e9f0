import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { asText, asWords, type JsonObject, parseObject } from '../../../kernel/system/json-value.ts'
import { openDatabaseCopy } from '../database-copy.ts'
import type { Skip } from '../ledger.ts'
import {
  type Loaded,
  revertOf,
  type StoredMessage,
  type StoredPart,
  type StoredSession,
  withoutToolData,
} from './stored-session.ts'

export interface SessionDatabase {
  readonly sessions: readonly StoredSession[]
  /** Rows in tables with an unsupported format. */
  readonly unsupportedRows: number
  close(): Promise<void>
}

/** Undefined if OpenCode writes too often for a copy to be made between two writes. */
export async function openSessionDatabase(root: string, file: string): Promise<SessionDatabase | undefined> {
  const copy = await openDatabaseCopy(resolve(root, file))
  if (copy === undefined) return undefined
  try {
    const { db, close } = copy
    return { sessions: listSessions(db, file), unsupportedRows: countUnsupported(db), close }
  } catch (error) {
    await copy.close()
    throw error
  }
}

// Only these tables are ever queried; accounts, credentials and shares are never read.
const SESSIONS =
  'SELECT session.*, project.worktree FROM session LEFT JOIN project ON project.id = session.project_id ORDER BY session.id'
const MESSAGE_STATE =
  'SELECT session_id, count(*) AS rows, max(time_updated) AS updated FROM message GROUP BY session_id'
const PART_STATE = 'SELECT session_id, count(*) AS rows, max(time_updated) AS updated FROM part GROUP BY session_id'
const MESSAGES = 'SELECT id, data FROM message WHERE session_id = ? ORDER BY id'
const PARTS = 'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id'

/** Lists sessions. Skips sessions without messages, since JSON files may have them. */
function listSessions(db: DatabaseSync, file: string): StoredSession[] {
  const state = (sql: string): Map<unknown, string> =>
    new Map(
      db
        .prepare(sql)
        .all()
        .map((row) => [row.session_id, `${row.rows} ${row.updated}`]),
    )
  const [messages, parts] = [state(MESSAGE_STATE), state(PART_STATE)]
  const rows = db
    .prepare(SESSIONS)
    .all()
    .filter((row) => messages.has(row.id))
  return rows.map((row): StoredSession => {
    const id = String(row.id)
    return {
      id,
      parentId: asWords(row.parent_id),
      worktree: asWords(row.worktree),
      directory: asWords(row.directory),
      title: asWords(row.title),
      version: asWords(row.version),
      created: Number(row.time_created),
      isArchived: (row.time_archived ?? null) !== null,
      revert: revertOf(parseObject(asText(row.revert) ?? '')),
      file,
      database: file,
      fingerprint: JSON.stringify([
        row.title,
        row.revert,
        row.worktree,
        row.time_updated,
        row.time_archived,
        messages.get(id),
        parts.get(id),
      ]),
      load: async () => loadSession(db, file, id),
    }
  })
}

function loadSession(db: DatabaseSync, file: string, session: string): Loaded {
  const skipped: Skip[] = []
  const read = (row: Record<string, unknown>, what: string): JsonObject | undefined => {
    const data = parseObject(asText(row.data) ?? '')
    if (data === undefined)
      skipped.push({ path: file, why: 'damaged', reason: `The ${what} ${String(row.id)} is not valid JSON.` })
    return data
  }
  const parts = new Map<unknown, StoredPart[]>()
  for (const row of db.prepare(PARTS).iterate(session)) {
    const part = read(row, 'part')
    const siblings = parts.get(row.message_id) ?? []
    if (part) siblings.push({ id: String(row.id), part: withoutToolData(part) })
    parts.set(row.message_id, siblings)
  }
  const messages = db
    .prepare(MESSAGES)
    .all(session)
    .flatMap((row): StoredMessage[] => {
      const info = read(row, 'message')
      return info ? [{ id: String(row.id), info, parts: parts.get(row.id) ?? [] }] : []
    })
  return { messages, skipped }
}

function countUnsupported(db: DatabaseSync): number {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('session_message', 'session_input')")
    .all()
  return tables.reduce(
    (sum, { name }) => sum + Number(db.prepare(`SELECT count(*) AS rows FROM "${String(name)}"`).get()?.rows ?? 0),
    0,
  )
}
