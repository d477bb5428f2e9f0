import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { TreeFault } from '../domain/context-project/judge-tree.ts'
import type { ContextOrigins, KeptOrigin, TakenContext } from '../ports/context-origins.ts'
import { CONTEXT_NEWS } from './versions.ts'

interface OriginRow {
  readonly id: string
  readonly address: string
  readonly branch: string
  readonly folder: string
  readonly every: number | null
  readonly credential: Uint8Array | null
  readonly hook: Uint8Array | null
  readonly set_by: string
  readonly set_at: string
  readonly looked_at: string | null
  readonly looked_commit: string | null
  readonly faults: readonly TreeFault[]
  readonly version: string | null
  readonly taken_commit: string
  readonly taken_at: string
  readonly taken_files: number
  readonly taken_bytes: number
  readonly taken_left: TakenContext['left']
}

export function openContextOrigins(database: SqlDatabase): ContextOrigins {
  return {
    async find(project) {
      const [row] = await database.transaction(
        { project },
        (sql) => sql.query<OriginRow>('SELECT * FROM ken.context_origins WHERE project = $1', [project]),
        { readOnly: true },
      )
      return row && keptOf(row)
    },
    async set(project, { id, address, branch, folder, every, credential, setBy, setAt }) {
      const values = [project, id, address, branch, folder, every ?? null, credential ?? null, setBy, setAt]
      await database.transaction({ project }, (sql) => sql.query(SET, values))
    },
    remove: (project) =>
      database.transaction({ project }, async (sql) => {
        await sql.query('DELETE FROM ken.context_files WHERE project = $1', [project])
        await sql.query(`SELECT pg_notify('${CONTEXT_NEWS}', $1)`, [project])
        const gone = await sql.query('DELETE FROM ken.context_origins WHERE project = $1 RETURNING id', [project])
        return gone.length > 0
      }),
    setHook: (project, hook) =>
      database.transaction({ project }, async (sql) => {
        const values = [project, hook]
        const set = 'UPDATE ken.context_origins SET hook = $2 WHERE project = $1 RETURNING id'
        return (await sql.query(set, values)).length > 0
      }),
    async hooked(project) {
      const [row] = await database.transaction(
        'server',
        (sql) => sql.query<{ hook: Uint8Array; branch: string }>(HOOKED, [project]),
        { readOnly: true },
      )
      return row
    },
    async looked(project, id, { at, commit, faults }) {
      const values = [project, id, at, commit ?? null, JSON.stringify(faults)]
      await database.transaction({ project }, (sql) => sql.query(LOOKED, values))
    },
    async due(now, most) {
      const rows = await database.transaction('server', (sql) => sql.query<{ project: string }>(DUE, [now, most]), {
        readOnly: true,
      })
      return rows.map(({ project }) => project)
    },
  }
}

const SET = `
  INSERT INTO ken.context_origins (project, id, address, branch, folder, every, credential, set_by, set_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (project) DO UPDATE SET
    id = excluded.id, address = excluded.address, branch = excluded.branch, folder = excluded.folder,
    every = excluded.every, credential = excluded.credential, set_by = excluded.set_by, set_at = excluded.set_at,
    looked_at = NULL, looked_commit = NULL, faults = '[]'`

const LOOKED = `
  UPDATE ken.context_origins SET looked_at = $3, looked_commit = $4, faults = $5::text::jsonb
  WHERE project = $1 AND id = $2`

const HOOKED = `
  SELECT hook, branch FROM ken.context_origins origin JOIN ken.projects project ON project.id = origin.project
  WHERE origin.project = $1 AND project.archived_at IS NULL AND hook IS NOT NULL`

const DUE = `
  SELECT origin.project FROM ken.context_origins origin JOIN ken.projects project ON project.id = origin.project
  WHERE project.archived_at IS NULL AND every IS NOT NULL
    AND (looked_at IS NULL OR looked_at <= $1::timestamptz - every * interval '1 minute')
  ORDER BY looked_at NULLS FIRST, origin.project LIMIT $2`

const keptOf = (row: OriginRow): KeptOrigin => ({
  id: row.id,
  address: row.address,
  branch: row.branch,
  folder: row.folder,
  every: row.every ?? undefined,
  credential: row.credential ?? undefined,
  hook: row.hook ?? undefined,
  setBy: row.set_by,
  setAt: row.set_at,
  looked:
    row.looked_at === null
      ? undefined
      : { at: row.looked_at, commit: row.looked_commit ?? undefined, faults: row.faults },
  taken:
    row.version === null
      ? undefined
      : {
          version: row.version,
          commit: row.taken_commit,
          at: row.taken_at,
          files: row.taken_files,
          bytes: row.taken_bytes,
          left: row.taken_left,
        },
})
