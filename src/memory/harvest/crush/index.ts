import { isAbsolute, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { asObject, asObjects, asWords } from '../../../kernel/system/json-value.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { isPlainTable } from '../database-copy.ts'
import { type DatabaseMemo, databaseSessions, type ListedSession } from '../database-sessions.ts'
import { defineHarvester } from '../define-harvester.ts'
import { foreignFile } from '../foreign-file.ts'
import { HarvestLedger } from '../ledger.ts'
import { readWholeJson } from '../whole-json.ts'
import { CLIENT, readSession } from './session.ts'

/**
 * Crush sessions, which are kept in each project's folder. Only folders that Crush itself recorded as used are read,
 * and never a database that came with a repository.
 */
export const crush = defineHarvester({
  client: CLIENT,
  places: ['.local/share/crush', 'AppData/Local/crush'],
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<DatabaseMemo>(root, `${CLIENT}/1`, cursor)
    for (const { path, database } of await listProjects(root)) {
      const refused = await foreignFile(database)
      if (refused === 'absent') continue
      if (refused !== undefined) {
        const source = { key: `refused ${database}`, files: [database], note: refused }
        if (await ledger.changed(source))
          yield* await ledger.settle(source, async () => ({
            session: undefined,
            skipped: [{ path: database, why: 'unreadable', reason: refused }],
            offsets: {},
            memo: { database: null },
          }))
        continue
      }
      yield* databaseSessions(ledger, { root, file: database, list: (db) => listSessions(db, { path, database }) })
    }
    yield ledger.cursor()
  },
})

export interface CrushProject {
  readonly path: string
  readonly database: string
}

async function listProjects(root: string): Promise<CrushProject[]> {
  const read = await readWholeJson(join(root, 'projects.json')).catch(() => undefined)
  const projects = typeof read === 'object' ? asObjects(asObject(read.value)?.projects) : []
  const found = new Map<string, CrushProject>()
  for (const project of projects) {
    const path = asWords(project.path)
    const data = asWords(project.data_dir)
    if (path === undefined || data === undefined || !isAbsolute(path)) continue
    const database = join(isAbsolute(data) ? data : join(path, data), 'crush.db')
    if (!found.has(database)) found.set(database, { path, database })
  }
  return [...found.values()].sort((a, b) => (a.database < b.database ? -1 : 1))
}

const SESSIONS = 'SELECT id, parent_session_id, title, updated_at FROM sessions ORDER BY id'
const STATE = `SELECT count(*) AS rows, max(updated_at) AS updated, total(octet_length(parts)) AS size
  FROM messages WHERE session_id = ?`

function* listSessions(db: DatabaseSync, project: CrushProject): Generator<ListedSession> {
  if (!isPlainTable(db, 'sessions') || !isPlainTable(db, 'messages')) return
  const state = db.prepare(STATE)
  for (const row of db.prepare(SESSIONS).all()) {
    const { rows, updated, size } = state.get(String(row.id)) ?? {}
    yield {
      id: String(row.id),
      fingerprint: JSON.stringify([row.title, row.parent_session_id, row.updated_at, rows, updated, size]),
      read: () => readSession(db, row, project),
    }
  }
}
