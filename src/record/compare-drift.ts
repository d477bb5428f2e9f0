import type { Call } from '../kernel/ports/call.ts'
import { findDrift, type DriftFinding, type DriftReport } from './find-drift.ts'
import type { LocalRecordNeeds, RecordNeeds } from './ports/record-needs.ts'
import type { RepositoryHistory } from './ports/repository-history.ts'
import type { Store } from './ports/store.ts'

interface DriftDifference {
  readonly caused: readonly DriftFinding[]
  /** Decisions without drift after the change. */
  readonly mended: readonly DriftFinding[]
  /** Whether the base already uses a rejected thing. */
  wasBack(decision: number, thing: string | undefined): boolean
  /** Why the comparison is missing or incomplete. */
  readonly notes: readonly string[]
}

/** Drift only in the working tree, and drift only in the base, both by the same record. */
export async function compareDrift(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  store: Store,
  { base, history }: { base: string; history: RepositoryHistory },
): Promise<DriftDifference> {
  const then = await historyAt(history, base)
  if (then === undefined)
    return {
      caused: [],
      mended: [],
      wasBack: () => false,
      notes: ['Drift was not compared: the history here begins after the base.'],
    }
  const at = (repositoryHistory: RecordNeeds['repositoryHistory']): Promise<DriftReport> =>
    findDrift({ ...ctx, repositoryHistory }, store, {})
  const before = await at(async () => then)
  const after = await at(async () => ({ ...history, close() {} }))
  const was = new Set(before.findings.map(keyOf))
  const drifted = new Set(after.findings.map(({ decision }) => decision.num))
  return {
    caused: after.findings.filter((each) => !was.has(keyOf(each))),
    mended: before.findings.filter(({ decision }) => !drifted.has(decision.num)),
    wasBack: (num, thing) =>
      thing !== undefined && before.findings.some((each) => each.decision.num === num && each.thing === thing),
    notes: history.isShallow ? ['This clone has no full history: drift since older decisions is unknown.'] : [],
  }
}

/**
 * Key for equal drift, regardless of details: the share of changed lines grows with every change, and another package
 * of a rejected thing that the base already uses is a note of the guard.
 */
const IS_ONE: ReadonlySet<DriftFinding['kind']> = new Set(['changed_much', 'rejected_back', 'replaced'])

const keyOf = ({ decision, kind, about }: DriftFinding): string =>
  JSON.stringify([decision.num, kind, IS_ONE.has(kind) ? '' : about])

/** The history as if the commit where this branch diverged from the base were checked out. */
async function historyAt(history: RepositoryHistory, base: string): Promise<RepositoryHistory | undefined> {
  const place = await history.placeOf(base)
  if (place === undefined) return undefined
  const line = (await history.line()).slice(0, place + 1)
  const [known, last] = [new Set(line.map(({ id }) => id)), line.at(-1)!.id]
  return {
    isShallow: history.isShallow,
    line: async () => line,
    async placeOf(revision) {
      const found = await history.placeOf(revision)
      return found === undefined ? undefined : Math.min(found, place)
    },
    files: (at, below) => history.files(at === 'now' ? last : at, below),
    texts: (contents) => history.texts(contents),
    async moves(since) {
      const later = new Set((await history.moves(last)).map(({ commit }) => commit.id))
      return (await history.moves(since)).filter(({ commit }) => !later.has(commit.id))
    },
    revisions: async (isWanted) => (await history.revisions(isWanted)).filter(({ commit }) => known.has(commit.id)),
    close() {},
  }
}
