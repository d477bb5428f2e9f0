import { AppError } from '../../../kernel/domain/errors.ts'
import type { Origin } from '../../../kernel/domain/origin.ts'
import { codePoints } from '../../../kernel/domain/text.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import type { Changes } from '../../domain/draft.ts'
import { changeEvent, withAdoption } from '../../domain/journal/change-events.ts'
import { isToldOf } from '../../domain/journal/take-lines.ts'
import { isRecordFile, isSnapshotFile } from '../../domain/record-path.ts'
import { tokensOf } from '../../domain/snapshot/snapshot.ts'
import { LARGEST_TEXT, sha256 } from '../record-text.ts'
import type { RevisionTexts } from './current-files.ts'
import { readEvents } from './journal-rows.ts'
import { planAppend, type PlannedJournal, planTaking } from './planned-journal.ts'
import type { RecordHead } from './record-head.ts'
import { prunedBy, sealed, type SnapshotRow } from './snapshot-rows.ts'

/** All rows of a change, computed before anything is written. */
export interface PlannedChange {
  /** The head that the record must still have. */
  readonly from: RecordHead
  readonly to: RecordHead
  /** Only changed files. */
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[]
  readonly texts: readonly { readonly sha256: string; readonly text: string }[]
  readonly journal: PlannedJournal
  readonly snapshot: SnapshotRow | undefined
  /** Versions of snapshots to delete. */
  readonly pruned: readonly number[]
}

export interface PlanParts {
  readonly database: SqlDatabase
  readonly project: string
  readonly clock: Clock
  /** Texts at the revision on which the change is based. */
  readonly known: RevisionTexts
  /** Id of the event of the change, if it has one already. */
  readonly event?: string | undefined
}

interface FileNow {
  readonly path: string
  readonly sha256: string
  readonly points: number
}

export async function planChange(
  parts: PlanParts,
  from: RecordHead,
  { changes, origin }: { readonly changes: Changes; readonly origin: Origin },
): Promise<PlannedChange> {
  refuseUnstorable(changes)
  const isFirst = from.lastEvent === null
  const isCounted = from.points !== null && from.decisions !== null
  const now = await filesNow(parts, isFirst || !isCounted ? undefined : [...changes.texts.keys()])
  const texts = await realChanges(parts, changes, now)
  const at = parts.clock.now()
  const revision = from.revision + 1
  const making = { origin, at: at.toISOString(), id: () => parts.clock.uuid(), sha256 }
  const change = changeEvent({ ...making, id: () => parts.event ?? making.id() }, { ...changes, texts })
  const events = withAdoption(making, change, isFirst ? present(now) : {})
  const isNoted = changes.note !== undefined
  const journal =
    changes.taken.length === 0
      ? planAppend(from, events)
      : await planTaking(parts, from, { events, isNoted, taken: changes.taken })
  const sums = sumsAfter(from, { now, texts, isCounted })
  const snapshot =
    changes.snapshot &&
    sealed({
      version: from.lastSnapshot + 1,
      revision,
      at: at.toISOString(),
      trigger: storable(changes.snapshot.trigger),
      detail: storable(changes.snapshot.detail),
      token_count: tokensOf(sums.points),
      decisions: sums.decisions,
    })
  return {
    from,
    to: {
      ...from,
      ...sums,
      revision,
      // Readers that have these lines in their old positions must read them again.
      rewritten: from.rewritten + (journal.keptTo === undefined ? 0 : 1),
      journal: journal.head,
      lastEvent: journal.lastEvent,
      lastSnapshot: snapshot?.version ?? from.lastSnapshot,
    },
    ...rowsOf(texts, now),
    journal,
    snapshot,
    pruned: snapshot === undefined ? [] : await prunedBy(parts, snapshot, at),
  }
}

/** Throws for texts that a text column cannot store, or that could not be read back. */
function refuseUnstorable({ texts }: Changes): void {
  for (const [path, text] of texts) {
    if (text === undefined) continue
    if (text.includes('\0'))
      throw new AppError('invalid_input', `${path} holds a NUL character`, { hint: 'Remove it: records are text.' })
    if (Buffer.byteLength(text) > LARGEST_TEXT)
      throw new AppError('invalid_input', `${path} is larger than ${LARGEST_TEXT / 2 ** 20} MB`, {
        hint: 'Keep large things elsewhere and name them in the record.',
      })
  }
}

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The current files at `paths`, or all files without `paths`. */
async function filesNow(
  { database, project, known }: PlanParts,
  paths: readonly string[] | undefined,
): Promise<ReadonlyMap<string, FileNow>> {
  if (paths?.every((path) => known.has(path) && known.get(path) !== null))
    return new Map(
      paths.flatMap((path) => {
        const text = known.get(path) ?? undefined
        return text === undefined ? [] : [[path, { path, sha256: sha256(text), points: codePoints(text) }] as const]
      }),
    )
  const rows = await database.transaction(
    { project },
    (sql) =>
      sql.query<FileNow>(
        `SELECT f.path, f.sha256, coalesce(t.points, 0) AS points FROM ken.record_files f
         LEFT JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.until IS NULL AND f.sha256 IS NOT NULL
         AND ($2::text IS NULL OR f.path IN (SELECT jsonb_array_elements_text($2::text::jsonb)))`,
        [project, paths === undefined ? null : JSON.stringify(paths)],
      ),
    { readOnly: true },
  )
  return new Map(rows.map((row) => [row.path, row]))
}

/** Drops removals without effect. */
async function realChanges(
  { database, project }: PlanParts,
  { texts, taken }: Changes,
  now: ReadonlyMap<string, FileNow>,
): Promise<Map<string, string | undefined>> {
  const absent = [...texts].filter(([path, text]) => text === undefined && !now.has(path)).map(([path]) => path)
  const events = absent.length === 0 ? [] : await readEvents(database, project)
  const idle = new Set(absent.filter((path) => !isToldOf(path, events, taken)))
  return new Map([...texts].filter(([path]) => !idle.has(path)))
}

const present = (now: ReadonlyMap<string, FileNow>): Record<string, string> =>
  Object.fromEntries(
    [...now.values()].filter(({ path }) => isRecordFile(path)).map(({ path, sha256: hash }) => [path, hash]),
  )

function sumsAfter(
  from: RecordHead,
  given: {
    readonly now: ReadonlyMap<string, FileNow>
    readonly texts: ReadonlyMap<string, string | undefined>
    readonly isCounted: boolean
  },
): { points: number; decisions: number } {
  const held = [...given.now.values()].filter(({ path }) => isSnapshotFile(path))
  const changed = [...given.texts].filter(([path]) => isSnapshotFile(path))
  const gone = given.isCounted ? held.filter(({ path }) => given.texts.has(path)) : []
  const base = given.isCounted
    ? { points: from.points! - sum(gone), decisions: from.decisions! - countDecisions(gone) }
    : sumsOf(held.filter(({ path }) => !given.texts.has(path)))
  const added = sumsOf(
    changed.flatMap(([path, text]) => (text === undefined ? [] : [{ path, points: codePoints(text) }])),
  )
  return { points: base.points + added.points, decisions: base.decisions + added.decisions }
}

interface Weighed {
  readonly path: string
  readonly points: number
}

const sum = (files: readonly Weighed[]): number => files.reduce((total, { points }) => total + points, 0)
const countDecisions = (files: readonly Weighed[]): number =>
  files.filter(({ path }) => path.startsWith('decisions/')).length
const sumsOf = (files: readonly Weighed[]): { points: number; decisions: number } => ({
  points: sum(files),
  decisions: countDecisions(files),
})

function rowsOf(
  texts: ReadonlyMap<string, string | undefined>,
  now: ReadonlyMap<string, FileNow>,
): Pick<PlannedChange, 'files' | 'texts'> {
  const hashed = [...texts].map(([path, text]) => ({ path, text, sha256: text === undefined ? null : sha256(text) }))
  const changed = hashed.filter(({ path, sha256: hash }) => (now.get(path)?.sha256 ?? null) !== hash)
  return {
    files: changed.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    texts: changed.flatMap(({ text, sha256: hash }) => (text === undefined ? [] : [{ text, sha256: hash! }])),
  }
}

/** True if nothing is left to write, for example because all lines were already known. */
export const isIdle = ({ files, journal, snapshot }: PlannedChange): boolean =>
  files.length + journal.lines.length === 0 && journal.keptTo === undefined && snapshot === undefined
