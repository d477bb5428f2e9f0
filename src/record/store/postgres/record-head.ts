import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { JournalHead } from '../../domain/journal/chain.ts'

/** The head of a record: one row. */
export interface RecordHead {
  readonly revision: number
  /** How often the past was rewritten. */
  readonly rewritten: number
  readonly journal: JournalHead
  readonly lastEvent: string | null
  readonly lastSnapshot: number
  /**
   * Code points of a snapshot of the record (`decisions`: its number of decisions); null if they must be counted again.
   */
  readonly points: number | null
  readonly decisions: number | null
}

/** For a project that has no record yet. */
export const NO_RECORD: RecordHead = {
  revision: 0,
  rewritten: 0,
  journal: { size: 0, lines: 0, tips: [] },
  lastEvent: null,
  lastSnapshot: 0,
  points: 0,
  decisions: 0,
}

/** The columns of ken.records as one JSON value of a RecordHead. */
export const HEAD_JSON = `jsonb_build_object('revision', r.revision, 'rewritten', r.rewritten, 'journal', r.journal,
  'lastEvent', r.last_event, 'lastSnapshot', r.last_snapshot, 'points', r.points, 'decisions', r.decisions)`

export async function readHead(sql: SqlSession, project: string): Promise<RecordHead> {
  const [row] = await sql.query<{ head: RecordHead }>(
    `SELECT ${HEAD_JSON} AS head FROM ken.records r WHERE project = $1`,
    [project],
  )
  return row?.head ?? NO_RECORD
}
