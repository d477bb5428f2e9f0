import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import { type AsOf, momentText } from './domain/as-of.ts'
import type { JournalEvent } from './domain/journal/event.ts'
import { eventsUntil, statesAfter } from './domain/journal/events-until.ts'
import { eventsInOrder } from './domain/journal/merge-journal.ts'
import { isListedFile, isSnapshotFile } from './domain/record-path.ts'
import { instant } from './domain/snapshot/retention.ts'
import { snapshotName, type Snapshot } from './domain/snapshot/snapshot.ts'
import type { Store } from './ports/store.ts'
import { type Moment, momentName, momentShown } from './read-moment.ts'

/** Everything still known of a record at a past moment. */
export interface PastRecord {
  readonly asOf: AsOf
  readonly files: Readonly<Record<string, string>>
  readonly events: readonly JournalEvent[]
}

/**
 * Rebuilds a record as of a past moment. A time uses the journal: every file as of the last event until then. A commit
 * that contains the record uses the events of that commit's journal, so that a branch shows its own state; any other
 * commit uses its time. A snapshot, or a time before the journal began, uses the texts of a snapshot. Hashes always
 * come from the current journal, so reading the past does not undo a redaction.
 */
export async function readPast(
  store: Store,
  moment: Moment,
  { now, journal }: { now: number; journal: readonly JournalEvent[] },
): Promise<PastRecord> {
  const { events, notes } = await eventsBy(store, journal, moment, now)
  const snapshot = await snapshotFor(store, moment, events.length === 0)
  const wanted = new Map([...statesAfter(events)].filter(([path]) => isPlain(path)))
  const own = Object.entries(snapshot?.files ?? {}).filter(([path]) => isPlain(path) && isSnapshotFile(path))
  if (snapshot !== undefined) for (const path of [...wanted.keys()].filter(isSnapshotFile)) wanted.delete(path)
  const texts = await store.history.texts(wanted, moment.at)
  const last = events.at(-1)
  return {
    asOf: {
      at: new Date(moment.at).toISOString(),
      named: momentName(moment),
      event: last && { id: last.id, at: last.at },
      unknown: [...wanted.keys()].filter((path) => !texts.has(path)).sort(),
      notes: [
        ...(moment.isAhead
          ? [`${momentShown(moment)} is still to come: this is the newest that the journal tells.`]
          : []),
        ...notes,
        ...(events.length === 0 ? [beforeJournal(journal, moment.snapshot === undefined ? snapshot : undefined)] : []),
      ],
    },
    files: Object.fromEntries([...texts, ...own]),
    events,
  }
}

/** A past record as a read-only store: `view` ranks and reads its files. */
export function pastStore(view: Store, present: Store, { asOf }: Pick<PastRecord, 'asOf'>): Store {
  const refuse = async (): Promise<never> => {
    throw new AppError('forbidden', `This is the record as of ${momentText(asOf.at)}: it can only be read.`, {
      hint: 'Omit as_of to change the current record.',
    })
  }
  const isThen = ({ timestamp }: { timestamp: string }) => isBy(timestamp, Date.parse(asOf.at))
  return {
    ...view,
    asOf,
    snapshots: {
      list: async () => (await present.snapshots.list()).filter(isThen),
      async read(version) {
        const snapshot = await present.snapshots.read(version)
        return snapshot && isThen(snapshot) ? snapshot : undefined
      },
    },
    history: present.history,
    commit: refuse,
    care: { ...view.care, rewrite: refuse },
  }
}

async function eventsBy(
  store: Store,
  journal: readonly JournalEvent[],
  { at, commit }: Moment,
  now: number,
): Promise<{ events: JournalEvent[]; notes: string[] }> {
  const ids = commit === undefined ? undefined : await store.history.eventsIn(commit)
  if (ids === undefined)
    return {
      events: eventsUntil(journal, at, now),
      notes:
        commit !== undefined && store.project.mode === 'repo'
          ? ['That commit does not carry the record: this is what the journal tells of its time.']
          : [],
    }
  const events = eventsInOrder(journal).filter(({ id }) => ids.has(id))
  const held = new Set(events.map(({ id }) => id)).size
  return {
    events,
    notes:
      held === ids.size
        ? []
        : [`Left out: ${plural(ids.size - held, 'event')} of that commit, from a branch that is not merged here.`],
  }
}

/** The requested snapshot, or the last one before a moment that the journal does not cover. */
async function snapshotFor(store: Store, moment: Moment, isBefore: boolean): Promise<Snapshot | undefined> {
  if (moment.snapshot !== undefined) return store.snapshots.read(moment.snapshot)
  if (!isBefore) return undefined
  const last = (await store.snapshots.list()).findLast(({ timestamp }) => isBy(timestamp, moment.at))
  return last && store.snapshots.read(last.version)
}

const isBy = (timestamp: string, moment: number): boolean => (instant(timestamp)?.getTime() ?? Infinity) <= moment

function beforeJournal(journal: readonly JournalEvent[], snapshot: Snapshot | undefined): string {
  const [first] = eventsInOrder(journal)
  const begins = first === undefined ? 'The record has no journal yet' : `The journal begins ${momentText(first.at)}`
  if (snapshot !== undefined)
    return `${begins}: this is snapshot ${snapshotName(snapshot.version!)} of ${momentText(snapshot.timestamp)}, the last before then.`
  if (first === undefined || first.operation === 'adopt')
    return `${begins}${first === undefined ? '' : ', when a record that was there already was taken over'}: what it held as of then is not known.`
  return `${begins}: as of then there was no record yet.`
}

/** Rejects other paths: a journal may come with a clone and name any path. */
const isPlain = (path: string): boolean => isListedFile(path) && !path.includes('\\') && !path.includes('\0')
