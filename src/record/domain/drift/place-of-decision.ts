import type { JournalEvent } from '../journal/event.ts'

/** Position of a decision in a line of commits: after the commit at `place`, -1 before the first. */
export interface DecisionPlace {
  readonly place: number
  /** True if the history is truncated and the line of commits does not go back that far. */
  readonly isUnknown: boolean
}

const SAYS_IT = new Set(['propose_decision', 'supersede_decision', 'update_decision'])

/** When each decision was last confirmed according to the journal, and the commit checked out at that time. */
export function lastStoodBy(
  events: readonly JournalEvent[],
): Map<string, { readonly at: string; readonly commit: string | undefined }> {
  const found = new Map<string, { at: string; commit: string | undefined }>()
  for (const { operation, facts, at } of events) {
    const commit = typeof facts?.['base_commit'] === 'string' ? facts['base_commit'] : undefined
    const stems = SAYS_IT.has(operation)
      ? [facts?.['decision']]
      : operation === 'accept' && Array.isArray(facts?.['files'])
        ? facts['files'].map((path) => /^decisions\/(.+)\.md$/.exec(String(path))?.[1])
        : []
    for (const stem of stems) if (typeof stem === 'string') found.set(stem, { at, commit })
  }
  return found
}

/**
 * The last commit before a decision: the one named in the journal, else by the journal's time, else by the decision's
 * date. The order within a day is unknown: a date counts as the end of its day, or as the start if it is the last day.
 */
export function placeOfDecision(
  { date, stood }: { date: string; stood: { readonly at: string; readonly commit: string | undefined } | undefined },
  line: readonly { readonly id: string; readonly at: string }[],
  { places, isShallow }: { places: ReadonlyMap<string, number>; isShallow: boolean },
): DecisionPlace {
  const named = stood?.commit === undefined ? undefined : places.get(stood.commit)
  if (named !== undefined) return { place: named, isUnknown: false }
  const place = stood === undefined ? placeOfDay(date, line) : lastUntil(stood.at, line)
  return { place, isUnknown: place < 0 && (isShallow || line.length === 0) }
}

function placeOfDay(date: string, line: readonly { readonly at: string }[]): number {
  const end = lastUntil(`${date}T23:59:59.999Z`, line)
  if (end < line.length - 1 || line.length === 0) return end
  const before = lastUntil(`${date}T00:00:00.000Z`, line)
  // If the repository began that day, the decision counts as made with the first commit.
  return before < 0 && line[0]!.at.startsWith(date) ? 0 : before
}

/** The newest commit that is old enough: clocks of committers differ, so the line is not always in order. */
const lastUntil = (at: string, line: readonly { readonly at: string }[]): number =>
  line.findLastIndex((commit) => commit.at <= at)
