import { renameStems, renumberHeading, rewriteRefs, type RefPlace } from './decision-refs.ts'
import { numbersAfter } from './decision/decision-id.ts'
import type { Decision } from './decision/decision.ts'
import { decisionPath, HASHES } from './files.ts'
import { IdentityLog } from './journal/decision-identity.ts'
import type { JournalEvent } from './journal/event.ts'
import { contradictions, decisionsOf, hashIndexOf, numOf, renamed, stemsOf, type RecordFiles } from './merge.ts'

/** How widely a decision is known under its number: 0 if only this clone has it. */
export type Published = (stem: string) => number

const NOBODY_SAW: Published = () => 0

export interface MergeRepair {
  /** New texts; undefined for a removed path. Empty if there is nothing to repair. */
  readonly changes: Readonly<Record<string, string | undefined>>
  readonly renumbered: readonly { readonly from: string; readonly to: string }[]
  /** References that may mean one decision or another; they were not changed. */
  readonly ambiguous: readonly string[]
  readonly conflicts: readonly string[]
}

/**
 * Repairs decisions that share a number, which git cannot detect when it merges two branches file by file. The decision
 * that others have seen keeps the number, otherwise the oldest. The others get new numbers above all existing ones, and
 * references follow the decision that they meant according to the journal: a text written on a branch can only have
 * meant the decision that existed there. The same files, journal and published decisions yield the same result on every
 * clone.
 */
export function planMergeRepair(
  files: RecordFiles,
  events: readonly JournalEvent[],
  published: Published = NOBODY_SAW,
): MergeRepair {
  const decisions = decisionsOf(files)
  const lineage = lineageOf(events, decisions)
  const groups = [...Map.groupBy(stemsOf(files), numOf).entries()]
    .filter(([, stems]) => stems.length > 1)
    .sort(([a], [b]) => a - b)
  const after: Record<string, string | undefined> = {}
  const ambiguous: string[] = []
  const moves = movesOf(groups, files, {
    before: (a, b) => published(b) - published(a) || (lineage.age(a) < lineage.age(b) ? -1 : 1),
    highest: new IdentityLog().follow(events).highest,
  })
  const candidates = new Map(groups.map(([num, stems]) => [num, stems]))
  const stemMoves = [...moves].map(([from, { stem }]) => [from, stem] as const)
  for (const [path, text] of Object.entries(files).filter(([p]) => p.endsWith('.md') && moves.size > 0)) {
    const own = /^decisions\/(.+)\.md$/.exec(path)?.[1]
    const renumbered = rewriteRefs(text, (num, place) => {
      const stems = candidates.get(num)
      if (stems === undefined) return num
      const meant = meantBy({ path, own, place, num }, { stems, decisions, lineage })
      if (meant === undefined) ambiguous.push(`${path}: "${place.line.trim()}" may mean ${stems.join(' or ')}`)
      return meant === undefined ? num : (moves.get(meant)?.num ?? num)
    })
    const rewritten = renameStems(renumbered, stemMoves)
    const move = own === undefined ? undefined : moves.get(own)
    if (move === undefined && rewritten !== text) after[path] = rewritten
    if (move !== undefined)
      Object.assign(after, { [path]: undefined, [decisionPath(move.stem)]: renumberHeading(rewritten, move.num) })
  }
  const merged = applied(files, after)
  if (moves.size > 0) after[HASHES] = hashIndexOf(decisionsOf(merged), files[HASHES])
  for (const path of joinedPaths(events)) if (files[path] !== undefined && !(path in after)) after[path] = files[path]
  const changed = Object.keys(after).length > 0
  return {
    changes: after,
    renumbered: [...moves].map(([from, { stem }]) => ({ from, to: stem })),
    ambiguous,
    conflicts: changed ? contradictions(decisionsOf(merged)) : [],
  }
}

/** Reads the record through a change, plans the repair and adds it to that change. `paths` are the record's files. */
export async function mendMerged(
  paths: readonly string[],
  events: readonly JournalEvent[],
  {
    draft,
    publishedIn,
  }: {
    readonly draft: RepairDraft & { read(path: string): Promise<string | undefined> }
    /** Called only if a number is used twice. */
    readonly publishedIn?: () => Promise<Published>
  },
): Promise<MergeRepair> {
  const files: Record<string, string> = {}
  for (const path of [...paths, HASHES]) {
    const text = await draft.read(path)
    if (text !== undefined) files[path] = text
  }
  const isTwice = new Set(stemsOf(files).map(numOf)).size < stemsOf(files).length
  const repair = planMergeRepair(files, events, isTwice ? await publishedIn?.() : undefined)
  applyMergeRepair(repair, draft)
  return repair
}

/**
 * Adds a repair to a change, with everything a person should know in its note. If there is nothing to repair, the
 * change stays empty.
 */
function applyMergeRepair(repair: MergeRepair, draft: RepairDraft): void {
  const paths = Object.entries(repair.changes)
  if (paths.length === 0) return
  for (const [path, text] of paths) {
    if (text === undefined) draft.remove(path)
    else draft.write(path, text)
  }
  draft.note('merge', { renumbered: repair.renumbered, ambiguous: repair.ambiguous, conflicts: repair.conflicts })
  draft.snapshot('merge')
}

interface RepairDraft {
  write(path: string, text: string): void
  remove(path: string): void
  note(operation: string, facts: Readonly<Record<string, unknown>>): void
  snapshot(trigger: string): void
}

function movesOf(
  groups: readonly (readonly [number, readonly string[]])[],
  files: RecordFiles,
  { before, highest }: { before: (a: string, b: string) => number; highest: number },
): Map<string, { stem: string; num: number }> {
  const next = numbersAfter([highest, ...stemsOf(files).map(numOf)])
  const later = groups.flatMap(([, stems]) => stems.toSorted(before).slice(1))
  return new Map(
    later.map((stem) => {
      const num = next()
      return [stem, { num, stem: renamed(stem, num, files[decisionPath(stem)]!) }]
    }),
  )
}

interface Reference {
  readonly path: string
  readonly own: string | undefined
  readonly place: RefPlace
  readonly num: number
}

/** The decision that a reference referred to when it was written; undefined if unknown. */
function meantBy(
  reference: Reference,
  {
    stems,
    decisions,
    lineage,
  }: { stems: readonly string[]; decisions: ReadonlyMap<string, Decision>; lineage: Lineage },
): string | undefined {
  const { path, own, place } = reference
  if (own !== undefined && stems.includes(own)) return own
  const mutual =
    place.key === undefined || own === undefined
      ? []
      : stems.filter((stem) => answers(decisions.get(stem), numOf(own), place.key!))
  // If two decisions superseded one, its file can name only one of them, the older; the other is reported as a
  // conflict.
  if (mutual.length > 0) return mutual.toSorted((a, b) => (lineage.age(a) < lineage.age(b) ? -1 : 1))[0]
  const written = questionEvent(place.line, lineage) ?? lineage.last(path)
  const seen =
    written === undefined
      ? []
      : stems.filter((stem) => {
          const born = lineage.born(decisionPath(stem))
          return born !== undefined && lineage.standsOn(written, born)
        })
  return seen.length === 1 ? seen[0] : undefined
}

const answers = (decision: Decision | undefined, num: number, key: 'supersedes' | 'superseded_by'): boolean =>
  decision?.[key === 'supersedes' ? 'superseded_by' : 'supersedes'] === String(num)

/** The event that resolved a question, of all events on that question. */
function questionEvent(line: string, lineage: Lineage): JournalEvent | undefined {
  const id = /^- \[Resolved by D[0-9]+ on [0-9-]+\] \[(Q[0-9]+)\]/.exec(line)?.[1]
  const found =
    id === undefined
      ? []
      : lineage.events.filter((event) =>
          [event.facts['resolved'], event.facts['questions']].some((ids) => Array.isArray(ids) && ids.includes(id)),
        )
  return found.length === 1 ? found[0] : undefined
}

interface Lineage {
  readonly events: readonly JournalEvent[]
  born(path: string): JournalEvent | undefined
  last(path: string): JournalEvent | undefined
  /** Sort key by the time a decision was recorded: from the journal, else from its date. */
  age(stem: string): string
  /** True if `base` existed when `event` was written. */
  standsOn(event: JournalEvent, base: JournalEvent): boolean
}

function lineageOf(events: readonly JournalEvent[], decisions: ReadonlyMap<string, Decision>): Lineage {
  const byId = new Map(events.map((event) => [event.id, event]))
  const ancestors = new Map<string, ReadonlySet<string>>()
  const above = (event: JournalEvent): ReadonlySet<string> => {
    const known = ancestors.get(event.id) ?? ancestorsOf(event, byId)
    ancestors.set(event.id, known)
    return known
  }
  const born = (path: string) => events.find((event) => typeof event.files[path] === 'string')
  return {
    events,
    born,
    age: (stem) => `${born(decisionPath(stem))?.at ?? `${decisions.get(stem)?.date ?? '9999'}T`} ${stem}`,
    last: (path) => events.findLast((event) => typeof event.files[path] === 'string'),
    standsOn: (event, base) => above(event).has(base.id),
  }
}

function ancestorsOf(event: JournalEvent, byId: ReadonlyMap<string, JournalEvent>): ReadonlySet<string> {
  const seen = new Set<string>()
  const waiting = [event.id]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    waiting.push(...(byId.get(id)?.after ?? []))
  }
  return seen
}

/**
 * Files that both sides of a merge changed, while the merge is the newest event: their merged text is not in any event
 * yet.
 */
export function joinedPaths(events: readonly JournalEvent[]): string[] {
  return joinedStates(events).map(({ path }) => path)
}

/** A file that both sides of a merge changed, with its hashes at the common base and at each end. */
export interface JoinedState {
  readonly path: string
  readonly base: string | null | undefined
  readonly ours: string | null | undefined
  readonly theirs: string | null | undefined
}

/** Files changed on both sides of the merges at the end of the journal; joining three branches takes two merges. */
export function joinedStates(events: readonly JournalEvent[]): JoinedState[] {
  const joins = events.slice(events.findLastIndex((event) => event.operation !== 'join') + 1).slice(-MOST_JOINS)
  const byId = new Map(events.map((event) => [event.id, event]))
  const found = joins.flatMap((join) => statesAt(join, { events, byId }))
  return [...new Map(found.map((state) => [state.path, state])).values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const MOST_JOINS = 64

function statesAt(
  join: JournalEvent,
  { events, byId }: { events: readonly JournalEvent[]; byId: ReadonlyMap<string, JournalEvent> },
): JoinedState[] {
  if (join.after?.length !== 2) return []
  const [left, right] = join.after.map((id) => ancestorsOf(byId.get(id) ?? join, byId)) as [Ids, Ids]
  const touched = (side: Ids, other: Ids) =>
    new Set(events.filter(({ id }) => side.has(id) && !other.has(id)).flatMap((event) => Object.keys(event.files)))
  const theirs = touched(right, left)
  const last = (path: string, isOn: (id: string) => boolean) =>
    events.findLast(({ id, files }) => isOn(id) && Object.hasOwn(files, path))?.files[path]
  return [...touched(left, right)]
    .filter((path) => theirs.has(path))
    .map((path) => ({
      path,
      base: last(path, (id) => left.has(id) && right.has(id)),
      ours: last(path, (id) => left.has(id)),
      theirs: last(path, (id) => right.has(id)),
    }))
}

type Ids = ReadonlySet<string>

function applied(files: RecordFiles, changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const merged: Record<string, string> = { ...files }
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) delete merged[path]
    else merged[path] = text
  }
  return merged
}
