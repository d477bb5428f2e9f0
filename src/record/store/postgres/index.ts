import { limitTo } from '../../../kernel/domain/limit-to.ts'
import type { Origin } from '../../../kernel/domain/origin.ts'
import type { Clock } from '../../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../../kernel/ports/projects.ts'
import type { SqlDatabase, SqlStatement } from '../../../kernel/ports/sql-database.ts'
import type { Embedder } from '../../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../../retrieval/ports/vector-scan.ts'
import { AppliedAlready } from '../../domain/applied-already.ts'
import { isEmpty, openDraft } from '../../domain/draft.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import type { Inspection, Store, Draft } from '../../ports/store.ts'
import { revisionNow, type RevisionNow } from './changes-since.ts'
import { listFiles, openReader } from './current-files.ts'
import { openDecisionIndex } from './decision-index.ts'
import type { DecisionIndex, RecordView } from './decision-index.ts'
import { inspectRecord } from './inspect-record.ts'
import { eventOf, readEvents, readJournalLines } from './journal-rows.ts'
import { lastKnownText, newestSnapshotWith, pastTexts } from './kept-texts.ts'
import { RECORD_CHANNEL, land, noticeOf } from './land.ts'
import { isIdle, type PlanParts, planChange } from './planned-change.ts'
import { everything } from './read-through.ts'
import { type IndexBounds, openRecentIndexes, type RecentIndexes } from './recent-indexes.ts'
import { readThrough, rewriteRecord } from './rewrite.ts'
import { openSnapshotStore } from './snapshot-rows.ts'

export interface PostgresStoresOptions {
  /** Must be migrated. */
  readonly database: SqlDatabase
  readonly clock: Clock
  /** Loaded when a ranking first needs it. */
  readonly embedder?: () => Promise<Embedder | undefined>
  readonly scan?: (dimensions: number) => VectorScan
  readonly lockTimeoutMs?: number
  /** Limits for recently used records in memory. */
  readonly bounds?: IndexBounds
  readonly announce?: Announce
}

export interface PostgresStores {
  /**
   * The record of a project. Runs no query; a missing project is detected on first use. `forOneCall`: a call looks the
   * record up once and reads a single state, at most a second old; a commit reads it again. `event`: the id of the event
   * of its first change; if the journal has it, the change throws `AppliedAlready`.
   */
  open(project: ProjectRef, how?: OpenedFor): Store
  /** The event of a change; undefined if the journal does not have it. */
  event(project: string, id: string): Promise<JournalEvent | undefined>
  close(): Promise<void>
}

export interface OpenedFor {
  readonly forOneCall: boolean
  readonly event?: string | undefined
}

/** The statement that queues what is to follow from new events; it runs in their transaction. Undefined if nothing is. */
type Announce = (project: string, events: readonly JournalEvent[]) => SqlStatement | undefined

const LOCK_TIMEOUT = 10_000
const LASTS_MS = 1_000
// A decision takes about five kilobytes of words and vectors.
const BOUNDS: IndexBounds = { projects: 256, decisions: 200_000 }

const REWRITES_AT_ONCE = 2

/** Records of many projects in a PostgreSQL database that many processes share. */
export async function openPostgresStores(options: PostgresStoresOptions): Promise<PostgresStores> {
  const { database, clock, embedder, scan } = options
  const indexes = openRecentIndexes(
    (project) => openDecisionIndex({ database, project, now: () => clock.now().getTime(), embedder, scan }),
    options.bounds ?? BOUNDS,
  )
  // Every read checks the revision anyway; this only drops words sooner that were redacted elsewhere.
  const own: OwnChanges = new Set()
  const notices = await database.listen(RECORD_CHANNEL, (message) => {
    if (message === undefined) own.clear()
    else if (own.delete(message)) return
    const project = message?.slice(0, message.lastIndexOf(':'))
    if (project !== undefined && indexes.held(project) !== undefined)
      void indexes.use(project, (index) => index.view()).catch(() => undefined)
  })
  const rewrites = limitTo(REWRITES_AT_ONCE)
  return {
    event: (project, id) => eventOf(database, project, id),
    open: (project, how = { forOneCall: false }) =>
      openStore(project, {
        database,
        clock,
        indexes,
        rewrites,
        own,
        patience: options.lockTimeoutMs ?? LOCK_TIMEOUT,
        announce: options.announce,
        ...how,
      }),
    async close() {
      await notices.close()
      await indexes.close()
    },
  }
}

/** Notices of changes that this process makes, which need not be read again. */
type OwnChanges = Set<string>

interface StoreParts extends OpenedFor {
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly indexes: RecentIndexes
  readonly own: OwnChanges
  /** Bounds how many rewrites run at once: each holds two locks. */
  readonly rewrites: <T>(work: () => Promise<T>) => Promise<T>
  readonly patience: number
  readonly announce: Announce | undefined
}

function openStore(project: ProjectRef, parts: StoreParts): Store {
  const { database, clock, indexes, rewrites, own, patience, announce, forOneCall, event } = parts
  const { id } = project
  let firstEvent = event
  const place = { database, project: id, clock }
  let known: { readonly index: DecisionIndex; readonly view: Promise<RecordView>; readonly at: number } | undefined
  const viewOf = (index: DecisionIndex): Promise<RecordView> => {
    const lasts = forOneCall && known?.index === index && performance.now() - known.at < LASTS_MS
    if (!lasts) known = { index, view: index.view(), at: performance.now() }
    return known!.view
  }
  const view = () => indexes.use(id, viewOf)
  const locked = <T>(work: () => Promise<T>): Promise<T> => database.withLock(lockOf(id), patience, work)

  /** Other changes are possible meanwhile, except another rewrite. */
  const rewritingAlone = <T>(work: () => Promise<T>): Promise<T> => database.withLock(`rewrite ${id}`, patience, work)

  /** Checks again under the lock if something is wrong: a concurrent change is not a fault. */
  async function inspect(): Promise<Inspection> {
    const found = await inspectRecord(place)
    return found.discrepancies.length === 0 ? found : locked(() => inspectRecord(place))
  }

  return {
    project,
    snapshots: openSnapshotStore(place),
    catalogue: async () => (await view()).catalogue,
    rank: (query) => indexes.use(id, async (index) => index.rank(query, await viewOf(index))),
    // A call that has not looked the record up reads only the file: a view may have to load every decision.
    read: openReader(async () => (known === undefined ? place : { ...place, known: (await view()).texts })),
    list: () => listFiles(database, id),
    commit: (origin, work) =>
      indexes.use(id, async (index) => {
        let after: RecordView | undefined
        try {
          const committing = { ...place, index, own, patience, announce, event: firstEvent }
          const { result, view: landed } = await commit(committing, origin, work)
          after = landed
          return result
        } finally {
          known = after && { index, view: Promise.resolve(after), at: performance.now() }
          firstEvent = undefined
        }
      }),
    journal: () => readEvents(database, id),
    verify: async () => (await inspect()).discrepancies,
    care: {
      inspect,
      lastKnown: (path) => lastKnownText(place, path),
      newestSnapshot: (path) => newestSnapshotWith(place, path),
      rewrite: (origin, rewriting) =>
        rewrites(() => rewritingAlone(() => rewriteRecord(place, origin, rewriting, locked))),
      readThrough: (look) => readThrough(place, look),
      everything: () => everything(place),
    },
    history: {
      texts: (wanted) => pastTexts(place, wanted),
      eventsIn: async () => undefined,
      lines: () => readJournalLines(database, id),
    },
    async close() {},
  }
}

interface CommitParts extends Omit<PlanParts, 'known'> {
  readonly index: DecisionIndex
  readonly own: OwnChanges
  readonly patience: number
  readonly event: string | undefined
  readonly announce: Announce | undefined
}

/** `view`: the record with the change, if it could be made without reading it again. */
interface Committed<T> {
  readonly result: T
  readonly view?: RecordView | undefined
}

/**
 * The lock excludes others while `work` runs; it can be lost with its connection, so the change is committed only if
 * the record is still at the revision that `work` began with. No transaction that writes is open while `work` runs.
 */
const commit = <T>(parts: CommitParts, origin: Origin, work: (draft: Draft) => Promise<T>): Promise<Committed<T>> =>
  parts.database.withLock(
    lockOf(parts.project),
    parts.patience,
    async ([now]) => {
      const applied = parts.event === undefined ? undefined : await eventOf(parts.database, parts.project, parts.event)
      if (applied !== undefined) throw new AppliedAlready(applied)
      const { head, catalogue, texts, isNoDecision } = await parts.index.view(now as RevisionNow | undefined)
      const { draft, finish } = openDraft({
        read: openReader(() => ({ ...parts, known: texts })),
        catalogue: async () => catalogue,
      })
      const result = await work(draft)
      const changes = finish()
      if (isEmpty(changes)) return { result }
      for (const path of changes.texts.keys()) if (!texts.has(path) && isNoDecision(path)) texts.set(path, undefined)
      const planned = await planChange({ ...parts, known: texts }, head, { changes, origin })
      if (isIdle(planned)) return { result }
      const notice = noticeOf(parts.project, planned.to.revision)
      parts.own.add(notice)
      await land(parts, planned, parts.announce?.(parts.project, planned.journal.events)).catch((error: unknown) => {
        parts.own.delete(notice)
        throw error
      })
      return { result, view: await parts.index.follow(planned) }
    },
    { scope: { project: parts.project }, ...revisionNow(parts.project) },
  )

const lockOf = (project: string): string => `record ${project}`
