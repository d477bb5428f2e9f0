import { AppError } from '../kernel/domain/errors.ts'
import type { Origin } from '../kernel/domain/origin.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { Call } from '../kernel/ports/call.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { label } from './domain/decision/decision.ts'
import { QUESTIONS, decisionPath } from './domain/files.ts'
import { lastState } from './domain/journal/compare-with-journal.ts'
import { followProposals } from './domain/journal/decision-trust.ts'
import type { JournalEvent } from './domain/journal/event.ts'
import { parseQuestions } from './domain/question.ts'
import { isListedFile } from './domain/record-path.ts'
import type { SnapshotInfo } from './domain/snapshot/snapshot.ts'
import type { Draft, Store } from './ports/store.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'
import { refuseFromClone } from './refuse-from-clone.ts'

/** The last change made here, and the record without it. */
export interface UndoPlan {
  readonly event: JournalEvent
  /** Files as they were before the change; undefined for a file that did not exist. */
  readonly back: ReadonlyMap<string, string | undefined>
  /** Decisions whose trust is restored with their text. */
  readonly proposed: readonly string[]
  readonly accepted: readonly string[]
}

/** Journal operations that are not a change by a person or an agent here. */
const PASSED_OVER: ReadonlySet<string> = new Set(['undo', 'redo', 'adopt', 'snapshot'])
const BY_NOBODY: ReadonlySet<Origin['surface']> = new Set(['merge', 'recovery'])
const FINAL: Readonly<Record<string, string>> = {
  init: 'Nothing has been changed since the record was started.',
  demo: 'Nothing has been changed since the record was started.',
  redact: 'The last change was `ken redact`, which cannot be taken back: what it removed is gone.',
}

/**
 * Finds the last change made on this machine and how to undo it. Throws if there is none, or if other changes build on
 * it.
 */
export async function planUndo(store: Store): Promise<UndoPlan> {
  refuseFromClone(store)
  const [events, snapshots] = await Promise.all([store.journal(), store.snapshots.list()])
  const at = lastMadeHere(events, snapshots, store)
  const event = events[at]
  if (event === undefined)
    throw new AppError('not_found', 'Nothing to undo: this record was not changed on this machine.', {
      hint: 'List snapshots with `ken log`.',
    })
  if (Object.hasOwn(FINAL, event.operation))
    throw new AppError('not_found', `${FINAL[event.operation]} There is nothing to undo.`)
  const back = await textsBefore(store, { events, at, snapshots })
  await refuseDependents(store, back)
  return { event, back, ...standingBefore(events, at, back) }
}

/** The last change that was undone here and not redone since, and the record with it. */
export interface RedoPlan {
  /** The change itself, not its undo. */
  readonly event: JournalEvent
  readonly forth: ReadonlyMap<string, string | undefined>
}

export async function planRedo(store: Store): Promise<RedoPlan> {
  const [events, snapshots] = await Promise.all([store.journal(), store.snapshots.list()])
  const undone = takenBack(events)
  const taken = new Set(snapshots.map(({ timestamp }) => timestamp))
  const undoAt = events.findLastIndex(
    ({ operation, facts, at }) =>
      operation === 'undo' && undone.has(String(facts['undone'])) && (store.project.mode === 'local' || taken.has(at)),
  )
  const at = events.findIndex(({ id }) => id === events[undoAt]?.facts['undone'])
  const event = events[at]
  if (event === undefined)
    throw new AppError('not_found', 'Nothing to redo: every undone change has been redone.', {
      hint: 'List snapshots with `ken log`.',
    })
  const forth = new Map<string, string | undefined>()
  const wanted = new Map<string, string>()
  for (const path of Object.keys(events[undoAt]!.files).filter(isListedFile)) {
    const now = await store.read(path)
    if ((now === undefined ? null : sha256(now)) !== events[undoAt]!.files[path])
      throw new AppError('conflict', `${path} has changed since the undo, so the change can’t be redone.`, {
        hint: 'Record it again, or undo the later changes first.',
      })
    const hash = event.files[path]
    if (typeof hash === 'string') wanted.set(path, hash)
    else if (hash === null) forth.set(path, undefined)
  }
  for (const [path, text] of await keptTexts(store, wanted, snapshots)) forth.set(path, text)
  const lost = [...wanted.keys()].find((path) => !forth.has(path))
  if (lost === undefined) return { event, forth }
  throw new AppError('not_found', `No snapshot holds ${lost} as that change left it.`, {
    hint: 'List snapshots with `ken log`.',
  })
}

/** Redoes the change as a new change. */
export async function redo(ctx: Call, store: Store, plan: RedoPlan, trigger: string): Promise<void> {
  await store.commit(ctx.origin, async (draft) => {
    const { event, forth } = await planRedo(store)
    if (event.id !== plan.event.id)
      throw new AppError('conflict', 'The record has changed since you opened it.', { hint: 'Run `ken redo` again.' })
    await put(forth, { ctx, store, draft })
    draft.note('redo', { redone: event.id, operation: event.operation })
    draft.snapshot(trigger)
  })
  await refreshAgentsMd(ctx, store)
}

/** Writes the files, and rebuilds the hash index if decisions are among them. */
async function put(
  texts: ReadonlyMap<string, string | undefined>,
  { ctx, store, draft }: { ctx: Call; store: Store; draft: Draft },
): Promise<void> {
  for (const [path, text] of texts) {
    if (text === undefined) draft.remove(path)
    else draft.write(path, text)
  }
  if ([...texts.keys()].some((path) => path.startsWith('decisions/')))
    await rebuildHashIndex(ctx, store, draft, { more: [...texts.keys()] })
}

/** The ids of changes that were undone and not redone since. */
function takenBack(events: readonly JournalEvent[]): ReadonlySet<string> {
  const undone = new Set<string>()
  for (const { operation, facts } of events) {
    if (operation === 'undo') undone.add(String(facts['undone']))
    if (operation === 'redo') undone.delete(String(facts['redone']))
  }
  return undone
}

/** Undoes the change as a new change; only its journal lines remain. */
export async function undo(ctx: Call, store: Store, plan: UndoPlan, trigger: string): Promise<void> {
  await store.commit(ctx.origin, async (draft) => {
    const { event, back, proposed, accepted } = await planUndo(store)
    if (event.id !== plan.event.id)
      throw new AppError('conflict', 'The record has changed since you opened it.', { hint: 'Run `ken undo` again.' })
    await put(back, { ctx, store, draft })
    draft.note('undo', {
      undone: event.id,
      operation: event.operation,
      ...(proposed.length > 0 && { proposed }),
      ...(accepted.length > 0 && { accepted }),
    })
    draft.snapshot(trigger)
  })
  await refreshAgentsMd(ctx, store)
}

/**
 * In a repository or a team the journal has the changes of all users; snapshots never leave the machine that took them.
 */
function lastMadeHere(events: readonly JournalEvent[], snapshots: readonly SnapshotInfo[], { project }: Store): number {
  const undone = takenBack(events)
  const taken = new Set(snapshots.map(({ timestamp }) => timestamp))
  return events.findLastIndex(
    ({ id, at, operation, origin, files }) =>
      !PASSED_OVER.has(operation) &&
      // A journal from elsewhere may have lines without an origin.
      !BY_NOBODY.has(origin?.surface) &&
      !undone.has(id) &&
      (operation === 'redact' ||
        ((project.mode === 'local' || taken.has(at)) &&
          (operation === 'accept' || Object.keys(files).some(isListedFile)))),
  )
}

interface Past {
  readonly events: readonly JournalEvent[]
  readonly at: number
  readonly snapshots: readonly SnapshotInfo[]
}

async function textsBefore(store: Store, past: Past): Promise<Map<string, string | undefined>> {
  const { events, at } = past
  const earlier = events.slice(0, at)
  const wanted = new Map<string, string>()
  const back = new Map<string, string | undefined>()
  for (const [path, after] of Object.entries(events[at]!.files)) {
    // The hash index is rebuilt from the decisions.
    if (!isListedFile(path)) continue
    const now = await store.read(path)
    if ((now === undefined ? null : sha256(now)) !== after) throw changedSince(path, events.slice(at + 1))
    const before = lastState(earlier, path) ?? null
    if (before === after) continue
    if (before === null) back.set(path, undefined)
    else wanted.set(path, before)
  }
  const left = past.snapshots.findIndex(({ timestamp }) => timestamp === events[at]!.at)
  const earlierOnes = left < 0 ? past.snapshots : past.snapshots.slice(0, left)
  for (const [path, text] of await keptTexts(store, wanted, earlierOnes)) back.set(path, text)
  const lost = [...wanted.keys()].find((path) => !back.has(path))
  if (lost === undefined) return back
  throw new AppError('not_found', `No snapshot holds ${lost} as it was before the last change.`, {
    hint: 'List snapshots with `ken log`.',
  })
}

const MOST_LOOKED_INTO = 100

/** Reads snapshots newest first: texts from around a change are nearly always in one of the last. */
async function keptTexts(
  store: Store,
  wanted: ReadonlyMap<string, string>,
  snapshots: readonly SnapshotInfo[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { version } of snapshots.slice(-MOST_LOOKED_INTO).toReversed()) {
    if (found.size === wanted.size) break
    const files = (await store.snapshots.read(version))?.files ?? {}
    for (const [path, hash] of wanted) {
      const text = files[path]
      if (!found.has(path) && text !== undefined && sha256(text) === hash) found.set(path, text)
    }
  }
  return found
}

function changedSince(path: string, later: readonly JournalEvent[]): AppError {
  const by = later.findLast(({ files }) => Object.hasOwn(files, path))
  return by === undefined
    ? new AppError('conflict', `${path} was edited by hand after the last change, so it can’t be undone.`, {
        hint: 'Keep the edit with `ken accept`, or undo it with `ken repair --take-back`.',
      })
    : new AppError(
        'conflict',
        `${path} was changed again on ${by.at.slice(0, 10)} (${by.operation}), after the last change made here.`,
        { hint: 'Restore a snapshot with `ken log` and `ken restore`; `ken journal` shows who changed what.' },
      )
}

/** A decision that others name cannot be removed: doctor would report their references as dangling. */
async function refuseDependents(store: Store, back: ReadonlyMap<string, string | undefined>): Promise<void> {
  const gone = new Set(
    [...back].flatMap(([path, text]) =>
      text === undefined && path.startsWith('decisions/') ? [decisionNumber(path.slice('decisions/'.length))] : [],
    ),
  )
  if (gone.size === 0) return
  for (const { stem, num, supersedes, superseded_by: by } of (await store.catalogue()).decisions) {
    const named = [supersedes, by].map(Number).find((other) => gone.has(other))
    if (!back.has(decisionPath(stem)) && named !== undefined) throw dependsOn(label(num), named)
  }
  if (back.has(QUESTIONS)) return
  for (const { id, resolvedBy } of parseQuestions((await store.read(QUESTIONS)) ?? ''))
    if (resolvedBy !== undefined && gone.has(resolvedBy.decision)) throw dependsOn(id, resolvedBy.decision)
}

const dependsOn = (what: string, num: number): AppError =>
  new AppError(
    'conflict',
    `${what} refers to ${label(num)}, recorded by the last change, so that change can’t be undone.`,
    {
      hint: `Supersede ${label(num)} instead.`,
    },
  )

/** Decisions that become proposals again, and those that become accepted again. */
function standingBefore(
  events: readonly JournalEvent[],
  at: number,
  back: ReadonlyMap<string, string | undefined>,
): Pick<UndoPlan, 'proposed' | 'accepted'> {
  const before = followProposals(new Set(), events.slice(0, at))
  const now = followProposals(new Set(), events)
  const { facts } = events[at]!
  const named = Array.isArray(facts['decisions']) ? facts['decisions'].map(String) : []
  const stems = [...back].flatMap(([path, text]) =>
    text === undefined ? [] : (/^decisions\/(.+)\.md$/.exec(path)?.[1] ?? []),
  )
  const touched = [...new Set([...stems, ...named])]
  return {
    proposed: touched.filter((stem) => before.has(stem) && !now.has(stem)),
    accepted: touched.filter((stem) => !before.has(stem) && now.has(stem)),
  }
}
