import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlStatement } from '../../../kernel/ports/sql-database.ts'
import type { PlannedChange } from './planned-change.ts'
import type { RecordHead } from './record-head.ts'

/** Channel that notifies replicas of a change: `<project>:<revision>`. */
export const RECORD_CHANNEL = 'ken_record'

export const noticeOf = (project: string, revision: number): string => `${project}:${revision}`

const TRIES = 3

interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

/** Writes the rows of a change and what is queued to follow from it, all or none. */
export const land = ({ database, project }: Place, change: PlannedChange, queued?: SqlStatement): Promise<void> =>
  untilKnown({ database, project }, change.journal.landsWith, async () => {
    const statements = [...headMoves(project, change), ...writes(project, change)]
    await database.batch({ project }, queued ? [...statements, queued] : statements)
  })

/**
 * If it is unknown whether a transaction was committed, the journal decides: either it contains the event or it does
 * not. An uncommitted transaction is retried unchanged; the work before it does not run twice. If there is no event,
 * the error is thrown.
 */
export async function untilKnown(place: Place, event: string | undefined, attempt: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isUnknown(error)) throw asRecordFailure(error)
      if (event === undefined) throw error
      if (await hasLanded(place, event)) return
      if (tried === TRIES) throw error
    }
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable' && error.details?.['outcome'] === 'unknown'

/**
 * True if the transaction was committed. Waits for one that the server may still be committing, because it holds the
 * row lock.
 */
async function hasLanded({ database, project }: Place, event: string, tries = TRIES): Promise<boolean> {
  try {
    return await database.transaction({ project }, async (sql) => {
      await sql.query('SELECT revision FROM ken.records WHERE project = $1 FOR UPDATE', [project])
      const found = await sql.query('SELECT FROM ken.record_events WHERE project = $1 AND id = $2', [project, event])
      return found.length > 0
    })
  } catch (error) {
    // The connection was lost again, but this is only a read, so it can be retried.
    if (!isUnknown(error) || tries === 1) throw error
    return hasLanded({ database, project }, event, tries - 1)
  }
}

function asRecordFailure(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  // No row was updated; see `headMoves`.
  if (code === '22012')
    return new AppError('unavailable', 'Another process changed the record during this change', {
      hint: 'Nothing was saved. Try again.',
      details: { recorded: 'no' },
    })
  // The project row does not exist.
  if (code === '23503')
    return new AppError('not_found', 'Project not found on this server', {
      hint: 'It may have been deleted; list the projects.',
    })
  return error
}

/**
 * Advances the record by one revision, from exactly the head of this change. Fails after a concurrent commit: the
 * division by the number of rows that were updated makes it an error of the statement.
 */
export function headMoves(
  project: string,
  { from, to }: { readonly from: RecordHead; readonly to: RecordHead },
): readonly SqlStatement[] {
  const first = {
    text: 'INSERT INTO ken.records (project, points, decisions) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING',
    values: [project],
  }
  const move = {
    text: `WITH moved AS (
       UPDATE ken.records SET revision = revision + 1, rewritten = $3, journal = $4::text::jsonb, last_event = $5,
         last_snapshot = $6, points = $7, decisions = $8
       WHERE project = $1 AND revision = $2 RETURNING revision
     )
     SELECT 1 / count(*) AS moved FROM moved`,
    values: [
      project,
      from.revision,
      to.rewritten,
      JSON.stringify(to.journal),
      to.lastEvent,
      to.lastSnapshot,
      to.points,
      to.decisions,
    ],
  }
  return from.revision === 0 ? [first, move] : [move]
}

function writes(project: string, change: PlannedChange): readonly SqlStatement[] {
  const { to, files, texts, journal, snapshot, pruned } = change
  const taken = journal.keptTo !== undefined && {
    text: 'DELETE FROM ken.record_events WHERE project = $1 AND place > $2',
    values: [project, journal.keptTo],
  }
  const ended = files.length > 0 && {
    text: `WITH texts AS (
       INSERT INTO ken.record_texts (project, sha256, text)
       SELECT DISTINCT ON (sha256) $1, sha256, text FROM jsonb_to_recordset($2::text::jsonb) AS t(sha256 text, text text)
       ON CONFLICT DO NOTHING
     )
     UPDATE ken.record_files SET until = $4 WHERE project = $1 AND until IS NULL
       AND path IN (SELECT path FROM jsonb_to_recordset($3::text::jsonb) AS f(path text))`,
    values: [project, JSON.stringify(texts), JSON.stringify(files), to.revision],
  }
  const begun = {
    text: `WITH files AS (
       INSERT INTO ken.record_files (project, path, revision, sha256)
       SELECT $1, path, $2, sha256 FROM jsonb_to_recordset($3::text::jsonb) AS f(path text, sha256 text)
     ), lines AS (
       INSERT INTO ken.record_events (project, place, revision, id, line)
       SELECT $1, place, revision, id, line
       FROM jsonb_to_recordset($4::text::jsonb) AS e(place bigint, revision bigint, id text, line text)
     ), snapshots AS (
       INSERT INTO ken.record_snapshots (project, version, revision, at, trigger, detail, token_count, decisions, seal)
       SELECT $1, s.* FROM jsonb_to_recordset($5::text::jsonb)
         AS s(version bigint, revision bigint, at text, trigger text, detail text, token_count bigint, decisions bigint, seal text)
     ), pruned AS (
       DELETE FROM ken.record_snapshots
       WHERE project = $1 AND version IN (SELECT jsonb_array_elements($6::text::jsonb)::bigint)
     )
     SELECT pg_notify('${RECORD_CHANNEL}', $1 || ':' || $2::bigint)`,
    values: [
      project,
      to.revision,
      JSON.stringify(files),
      JSON.stringify(journal.lines),
      JSON.stringify(snapshot === undefined ? [] : [snapshot]),
      JSON.stringify(pruned),
    ],
  }
  return [taken, ended, begun].flatMap((one) => one || [])
}
