import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { isSnapshotFile, recordText } from '../../domain/record-path.ts'
import { prunable } from '../../domain/snapshot/retention.ts'
import { type SnapshotInfo, toSnapshot } from '../../domain/snapshot/snapshot.ts'
import type { SnapshotStore } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'

/** A named moment of the record. Its files are the files of that revision. */
export interface SnapshotRow {
  readonly version: number
  readonly revision: number
  readonly at: string
  readonly trigger: string
  readonly detail: string
  readonly token_count: number
  readonly decisions: number
  /** A hash of all fields above. */
  readonly seal: string
}

type Unsealed = Omit<SnapshotRow, 'seal'>

export const sealed = (row: Unsealed): SnapshotRow => ({ ...row, seal: sealOf(row) })

export const sealOf = ({ version, revision, at, trigger, detail, token_count, decisions }: Unsealed): string =>
  sha256(JSON.stringify([version, revision, at, trigger, detail, token_count, decisions]))

// As often as in a file-based record; each check reads all snapshots.
const LOOK_EVERY = 64

interface StateTables {
  readonly database: SqlDatabase
  readonly project: string
}

export function openSnapshotStore(shelf: StateTables): SnapshotStore {
  return {
    list: async () => (await snapshotRows(shelf)).filter((row) => row.seal === sealOf(row)).map((row) => toInfo(row)),
    async read(version) {
      const found = await shelf.database.transaction({ project: shelf.project }, async (sql) => {
        const [row] = await sql.query<SnapshotRow>(
          `SELECT ${COLUMNS} FROM ken.record_snapshots WHERE project = $1 AND version = $2`,
          [shelf.project, version],
        )
        return (
          row && {
            row,
            files: await sql.query<{ path: string; text: string }>(
              `SELECT f.path, t.text FROM ken.record_files f
                 JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
               WHERE f.project = $1 AND f.revision <= $2 AND (f.until IS NULL OR f.until > $2) AND f.path NOT LIKE 'context/%'`,
              [shelf.project, row.revision],
            ),
          }
        )
      })
      if (found === undefined) return undefined
      const kept = found.files.filter(({ path }) => isSnapshotFile(path))
      return toSnapshot(toInfo(found.row), new Map(kept.map(({ path, text }) => [path, recordText(text)])))
    },
  }
}

export const snapshotRows = ({ database, project }: StateTables): Promise<readonly SnapshotRow[]> =>
  database.transaction({ project }, (sql) =>
    sql.query<SnapshotRow>(`SELECT ${COLUMNS} FROM ken.record_snapshots WHERE project = $1 ORDER BY version`, [
      project,
    ]),
  )

/** The versions to delete when `next` is added. */
export async function prunedBy(shelf: StateTables, next: SnapshotRow, now: Date): Promise<readonly number[]> {
  if (next.version % LOOK_EVERY !== 0) return []
  return prunable([...(await snapshotRows(shelf)), next].map(toInfo), now)
}

const COLUMNS = 'version, revision, at, trigger, detail, token_count, decisions, seal'

const toInfo = (row: SnapshotRow): SnapshotInfo => ({
  version: row.version,
  timestamp: row.at,
  trigger: row.trigger,
  trigger_detail: row.detail,
  token_count: row.token_count,
  decisions: row.decisions,
})
