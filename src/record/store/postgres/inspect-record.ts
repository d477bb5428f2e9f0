import { plural } from '../../../kernel/domain/text.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { type FileDigest, compareWithJournal } from '../../domain/journal/compare-with-journal.ts'
import { parseEvent } from '../../domain/journal/journal-lines.ts'
import { isRecordFile } from '../../domain/record-path.ts'
import { snapshotName } from '../../domain/snapshot/snapshot.ts'
import type { Discrepancy, Inspection } from '../../ports/store.ts'
import { judgeJournal, readLines } from '../judge-journal.ts'
import { type JournalRow, readJournalRows } from './journal-rows.ts'
import { readHead, type RecordHead } from './record-head.ts'
import { sealOf, type SnapshotRow, snapshotRows } from './snapshot-rows.ts'

interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

/** One state of a file, with the current hash of its text; null if the text is missing. */
interface StateRow {
  readonly path: string
  readonly revision: number
  readonly until: number | null
  readonly sha256: string | null
  readonly actual: string | null
}

/**
 * Compares every row of a record with its journal, and checks the journal for consistency and against the record's
 * stored end.
 */
export async function inspectRecord(place: Place): Promise<Inspection> {
  const { head, states, strays } = await readStates(place)
  const rows = await readJournalRows(place.database, place.project)
  const snapshots = await snapshotRows(place)
  const journal = readLines(rows.map(({ line }) => line))
  const known = head.journal.lines === 0 ? undefined : head.journal
  const present = new Set(journal.lines.map((line) => line.sha256))
  const gone = head.journal.tips.filter((tip) => !present.has(tip))
  const history = judgeJournal(
    journal,
    { kind: known === undefined ? 'new' : gone.length > 0 ? 'lost' : 'same', gone },
    { known, lost: [] },
  )
  const differing = compareWithJournal(digestsOf(states), journal.events, { history: false })
  const named = new Set(differing.map(({ path }) => path))
  return {
    discrepancies: [
      ...differing,
      ...pastFaults(states, rows).filter(({ path }) => !named.has(path)),
      ...history.discrepancies,
      ...snapshotFaults(snapshots, head),
    ],
    notes: [
      ...history.notes,
      ...(strays === 0
        ? []
        : [
            `${plural(strays, 'text')} that no file has: a redaction is under way or was stopped, or somebody added them; the next redaction removes them`,
          ]),
    ],
  }
}

async function readStates({
  database,
  project,
}: Place): Promise<{ head: RecordHead; states: readonly StateRow[]; strays: number }> {
  return database.transaction({ project }, async (sql) => {
    const states = await sql.query<StateRow>(
      // Hashed in the database: transferring the texts of a large record would take longer than hashing them.
      `WITH t AS MATERIALIZED (
         SELECT sha256, encode(sha256(convert_to(text, 'UTF8')), 'hex') AS actual FROM ken.record_texts WHERE project = $1
       )
       SELECT f.path, f.revision, f.until, f.sha256, t.actual FROM ken.record_files f
         LEFT JOIN t ON t.sha256 = f.sha256
       WHERE f.project = $1 ORDER BY f.path, f.revision`,
      [project],
    )
    const [stray] = await sql.query<{ count: number }>(
      `SELECT count(*) AS count FROM ken.record_texts t WHERE project = $1 AND NOT EXISTS (
         SELECT FROM ken.record_files f WHERE f.project = $1 AND f.sha256 = t.sha256)`,
      [project],
    )
    return { head: await readHead(sql, project), states, strays: stray!.count }
  })
}

/** The current states, hashed from the text rather than taken from the row's hash. */
const digestsOf = (states: readonly StateRow[]): Map<string, FileDigest> =>
  new Map(
    states
      .filter(({ path, until, actual }) => until === null && actual !== null && isRecordFile(path))
      .map(({ path, actual }) => [path, { sha256: actual! }]),
  )

/**
 * Every state must match the journal at its revision, and every revision in the journal must have its states. States
 * older than the journal were adopted with it.
 */
function pastFaults(states: readonly StateRow[], lines: readonly JournalRow[]): Discrepancy[] {
  const told = new Map<string, string | null>()
  let first = Infinity
  const last = new Map<string, { readonly place: number; readonly hash: string | null }>()
  // A merged line may be placed before an earlier one, which still takes precedence.
  for (const { place, revision, line } of lines.toSorted((a, b) => a.revision - b.revision || a.place - b.place)) {
    for (const [path, hash] of Object.entries(parseEvent(line)?.files ?? {})) {
      const before = last.get(path)
      const word = before !== undefined && before.place > place ? before : { place, hash }
      last.set(path, word)
      told.set(`${revision} ${path}`, word.hash)
    }
    first = Math.min(first, revision)
  }
  if (lines.length === 0) return []
  const byPath = Map.groupBy(states, ({ path }) => path)
  const faults = new Map<string, Discrepancy>()
  const fault = (path: string, message: string) => faults.set(`${path} ${message}`, damaged(path, message))
  for (const [path, rows] of byPath) {
    for (const [i, row] of rows.entries()) {
      if (row.sha256 !== row.actual) fault(path, `its text of revision ${row.revision} was changed or is gone`)
      if (row.revision >= first && told.get(`${row.revision} ${path}`) !== row.sha256)
        fault(path, `has a state of revision ${row.revision} that the journal does not know`)
      if (row.until !== (rows[i + 1]?.revision ?? null))
        fault(path, `its states do not follow one another after revision ${row.revision}`)
    }
  }
  for (const [key, hash] of told) {
    const [revision, path] = [Number(key.slice(0, key.indexOf(' '))), key.slice(key.indexOf(' ') + 1)]
    const then = byPath.get(path)?.findLast((row) => row.revision <= revision)?.sha256 ?? null
    if (then !== hash) fault(path, `its state of revision ${revision} is not there`)
  }
  return [...faults.values()]
}

const snapshotFaults = (rows: readonly SnapshotRow[], { revision, lastSnapshot }: RecordHead): Discrepancy[] => [
  ...rows
    .filter((row) => row.seal !== sealOf(row) || row.revision > revision || row.version > lastSnapshot)
    .map(({ version }) => damaged(`snapshots/${snapshotName(version)}`, 'was changed since it was taken')),
  ...(lastSnapshot > 0 && rows.at(-1)?.version !== lastSnapshot
    ? [damaged(`snapshots/${snapshotName(lastSnapshot)}`, 'is gone, though it is the newest', 'missing')]
    : []),
]

const damaged = (path: string, message: string, kind: Discrepancy['kind'] = 'damaged'): Discrepancy => ({
  path,
  kind,
  message,
})
