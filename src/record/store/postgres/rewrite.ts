import { AppError } from '../../../kernel/domain/errors.ts'
import type { Origin } from '../../../kernel/domain/origin.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { SqlDatabase, SqlSession } from '../../../kernel/ports/sql-database.ts'
import { looseLines } from '../../domain/journal/chain.ts'
import { chainEvents, makeEvent } from '../../domain/journal/change-events.ts'
import { rewriteJournal } from '../../domain/journal/rewrite-journal.ts'
import { tokensOf } from '../../domain/snapshot/snapshot.ts'
import type { Rewriting, Rewritten } from '../../ports/store.ts'
import { JOURNAL, readLines } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { type JournalRow, readJournalRows } from './journal-rows.ts'
import { headMoves, RECORD_CHANNEL, untilKnown } from './land.ts'
import { grown } from './planned-journal.ts'
import { pathTexts, SNAPSHOTS } from './read-through.ts'
import { readHead, type RecordHead } from './record-head.ts'
import { dropStrays, type Moved, movedTexts, type Prepared, prepareTexts, refuseMissing } from './rewrite-texts.ts'
import { type SnapshotRow, snapshotRows, sealed } from './snapshot-rows.ts'

export interface RewriteParts {
  readonly database: SqlDatabase
  readonly project: string
  readonly clock: Clock
}

interface FileRow {
  readonly path: string
  readonly revision: number
  readonly until: number | null
  readonly sha256: string | null
}

interface Remade {
  readonly from: RecordHead
  readonly to: RecordHead
  readonly moved: readonly Moved[]
  readonly files: readonly { readonly was: FileRow; readonly is: FileRow }[]
  readonly lines: readonly JournalRow[]
  readonly snapshots: readonly SnapshotRow[]
  readonly event: { readonly id: string; readonly line: string }
  /** Current files that were rewritten. */
  readonly written: readonly string[]
}

/**
 * Rewrites every text of every table and commits the result in one transaction. `locked` takes the lock, which is held
 * only once the new texts are there. This removes old texts from the tables, and from the server's disk once it has been
 * vacuumed.
 */
export async function rewriteRecord(
  parts: RewriteParts,
  origin: Origin,
  rewriting: Rewriting,
  locked: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Rewritten> {
  const { database, project } = parts
  try {
    const prepared = await prepareTexts(parts, rewriting)
    return await locked(async () => {
      const remade = await remake(parts, origin, { ...rewriting, prepared })
      if (remade === undefined) return { files: [], dropped: 0 }
      await untilKnown(parts, remade.event.id, () =>
        database.transaction({ project }, (sql) => landRewriting(sql, project, remade)),
      )
      return { files: remade.written, dropped: 0 }
    })
  } catch (thrown) {
    // Under the lock: a change may be about to use one of these texts. If that fails, the next rewrite drops them.
    await locked(() => database.transaction({ project }, (sql) => dropStrays(sql, project))).catch(() => undefined)
    throw thrown
  }
}

/** Passes every text that a rewrite would change to `look`. */
export async function readThrough(
  parts: Omit<RewriteParts, 'clock'>,
  look: (text: string, path: string) => Promise<void>,
): Promise<void> {
  for await (const { path, text } of pathTexts(parts)) await look(text, path)
  for (const { trigger, detail } of await snapshotRows(parts)) {
    await look(trigger, SNAPSHOTS)
    await look(detail, SNAPSHOTS)
  }
  await rewriteJournal(
    (await readJournalRows(parts.database, parts.project)).map(({ line }) => line),
    {
      change: async (text) => (await look(text, JOURNAL), text),
      rename: (path) => path,
      rehash: (hash) => hash,
      sha256,
    },
  )
}

async function remake(
  parts: RewriteParts,
  origin: Origin,
  { change, rename, operation, facts, prepared }: Rewriting & { readonly prepared: Prepared },
): Promise<Remade | undefined> {
  const { database, project, clock } = parts
  const from = await database.transaction({ project }, (sql) => readHead(sql, project))
  const moved = await movedTexts(parts, { change, rename }, prepared)
  const rehashed = new Map(moved.map((text) => [text.sha256, text.hash]))
  const files = await remakeFiles(parts, { moved, rename })
  const before = await readJournalRows(database, project)
  const made = await remakeLines(before, {
    change: (text) => change(text, JOURNAL),
    rename,
    rehash: (hash) => rehashed.get(hash) ?? hash,
    sha256,
  })
  const snapshots = await remakeSnapshots(await snapshotRows(parts), change)
  if (files.length + snapshots.length === 0 && made.every(({ line }, i) => line === before[i]!.line)) return undefined
  const now = files.map(({ is }) => is).filter((file) => file.until === null && file.sha256 !== null)
  const journal = readLines(made.map(({ line }) => line))
  const tips = looseLines(journal.lines)
  const event = makeEvent(
    { origin, at: clock.now().toISOString(), id: () => clock.uuid() },
    // Old file names are left out: they were changed because of the text that they contain.
    { operation, facts, files: Object.fromEntries(now.map((file) => [file.path, file.sha256])) },
  )
  const chained = chainEvents([event], { tips, last: journal.events.at(-1)?.id })
  const under = { size: journal.size, lines: from.journal.lines, tips }
  return {
    from,
    to: {
      ...from,
      revision: from.revision + 1,
      rewritten: from.rewritten + 1,
      journal: grown(under, chained.lines, chained.tips),
      lastEvent: event.id,
      points: null,
      decisions: null,
    },
    moved,
    files,
    lines: made.filter(({ line }, i) => line !== before[i]!.line),
    snapshots,
    event: { id: event.id, line: chained.lines[0]! },
    written: now.map(({ path }) => path),
  }
}

async function remakeFiles(
  { database, project }: RewriteParts,
  { moved, rename }: { readonly moved: readonly Moved[]; readonly rename: Rewriting['rename'] },
): Promise<Remade['files']> {
  const rows = await database.transaction({ project }, (sql) =>
    sql.query<FileRow>('SELECT path, revision, until, sha256 FROM ken.record_files WHERE project = $1', [project]),
  )
  refuseCollisions(new Set(rows.map(({ path }) => path)), rename)
  const byState = new Map(moved.map((text) => [`${text.sha256} ${text.path}`, text.hash]))
  return rows.flatMap((was) => {
    const is = { ...was, path: rename(was.path), sha256: byState.get(`${was.sha256} ${was.path}`) ?? was.sha256 }
    return is.path === was.path && is.sha256 === was.sha256 ? [] : [{ was, is }]
  })
}

/** Throws if two files would get the same name: their histories could not be distinguished any more. */
function refuseCollisions(paths: ReadonlySet<string>, rename: Rewriting['rename']): void {
  const taken = new Map<string, string>()
  for (const path of paths) {
    const name = rename(path)
    if (taken.has(name))
      throw new AppError('conflict', `Two files would be named ${name}`, {
        hint: 'Rename or remove one of them first; nothing was changed.',
      })
    taken.set(name, path)
  }
}

/** Keeps each line in its place. */
async function remakeLines(
  rows: readonly JournalRow[],
  rewriting: Parameters<typeof rewriteJournal>[1],
): Promise<JournalRow[]> {
  const before = [...new Set(rows.map(({ line }) => line))]
  const after = await rewriteJournal(before, rewriting)
  if (after.length !== before.length)
    throw new AppError('conflict', 'Two journal lines would be identical', {
      hint: 'Run ken verify to see the changed lines. No changes.',
    })
  const made = new Map(before.map((line, i) => [line, after[i]!]))
  return rows.map((row) => ({ ...row, line: made.get(row.line)! }))
}

async function remakeSnapshots(rows: readonly SnapshotRow[], change: Rewriting['change']): Promise<SnapshotRow[]> {
  const made: SnapshotRow[] = []
  for (const row of rows) {
    const [trigger, detail] = [await change(row.trigger, SNAPSHOTS), await change(row.detail, SNAPSHOTS)]
    if (trigger !== row.trigger || detail !== row.detail) made.push({ ...row, trigger, detail })
  }
  return made
}

const LINES_AT_ONCE = 2_000

async function landRewriting(sql: SqlSession, project: string, remade: Remade): Promise<void> {
  for (const { text, values } of headMoves(project, remade)) await sql.query(text, values)
  const { revision, journal } = remade.to
  await refuseMissing(sql, project, remade.moved)
  // Old rows are removed first: a name may pass from one file to another.
  await sql.query(
    `DELETE FROM ken.record_files f USING jsonb_to_recordset($2::text::jsonb) AS w(path text, revision bigint)
     WHERE f.project = $1 AND f.path = w.path AND f.revision = w.revision`,
    [project, JSON.stringify(remade.files.map(({ was }) => was))],
  )
  await sql.query(
    `INSERT INTO ken.record_files (project, path, revision, until, sha256)
     SELECT $1, path, revision, until, sha256
     FROM jsonb_to_recordset($2::text::jsonb) AS f(path text, revision bigint, until bigint, sha256 text)`,
    [project, JSON.stringify(remade.files.map(({ is }) => is))],
  )
  await dropStrays(sql, project)
  for (let at = 0; at < remade.lines.length; at += LINES_AT_ONCE)
    await sql.query(
      `UPDATE ken.record_events e SET line = l.line FROM jsonb_to_recordset($2::text::jsonb) AS l(place bigint, line text)
       WHERE e.project = $1 AND e.place = l.place`,
      [project, JSON.stringify(remade.lines.slice(at, at + LINES_AT_ONCE))],
    )
  await sql.query('INSERT INTO ken.record_events (project, place, revision, id, line) VALUES ($1, $2, $3, $4, $5)', [
    project,
    journal.lines,
    revision,
    remade.event.id,
    remade.event.line,
  ])
  await recountSnapshots(sql, project, remade.snapshots)
  await sql.query(`SELECT pg_notify('${RECORD_CHANNEL}', $1 || ':' || $2::bigint)`, [project, revision])
}

/**
 * Updates snapshots after texts were rewritten: `renamed` are rows with other words; all are measured again. The
 * pattern is that of isSnapshotFile.
 */
async function recountSnapshots(sql: SqlSession, project: string, renamed: readonly SnapshotRow[]): Promise<void> {
  const rows = await sql.query<Omit<SnapshotRow, 'seal'> & { readonly points: number }>(
    `SELECT s.version, s.revision, s.at, s.trigger, s.detail, s.token_count, s.decisions, (
       SELECT coalesce(sum(t.points), 0)::bigint FROM ken.record_files f
         JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.revision <= s.revision AND (f.until IS NULL OR f.until > s.revision)
         AND f.path ~ '^(decisions/)?[^./][^/]*\\.md$'
     ) AS points
     FROM ken.record_snapshots s WHERE s.project = $1`,
    [project],
  )
  const words = new Map(renamed.map((row) => [row.version, row]))
  const made = rows.map(({ points, ...row }) => {
    const { trigger, detail } = words.get(row.version) ?? row
    return sealed({ ...row, trigger, detail, token_count: tokensOf(points) })
  })
  await sql.query(
    `UPDATE ken.record_snapshots s SET trigger = m.trigger, detail = m.detail, token_count = m.token_count, seal = m.seal
     FROM jsonb_to_recordset($2::text::jsonb) AS m(version bigint, trigger text, detail text, token_count bigint, seal text)
     WHERE s.project = $1 AND s.version = m.version`,
    [project, JSON.stringify(made)],
  )
}
