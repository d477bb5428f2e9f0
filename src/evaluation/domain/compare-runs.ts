import { tallyCases, type CaseSummary, type RunSummary, type Tally, type Verdict } from './summary.ts'
import type { TestRun } from './test-run.ts'

/** Run compared with an earlier one. Two cases are the same if their id and model are equal. */
export interface RunComparison {
  readonly before: Pick<TestRun, 'id' | 'startedAt' | 'commit' | 'models'>
  /** Passed before and not now: it passes fewer of its runs than it needs, or can no longer be run. */
  readonly regressions: readonly CaseChange[]
  /** Passes now and did not before. */
  readonly mended: readonly CaseChange[]
  /** Same verdict, but a different share of its runs passes. */
  readonly shifted: readonly CaseChange[]
  readonly added: readonly CaseChange[]
  readonly gone: readonly CaseChange[]
  readonly unchanged: number
  /** Covers the cases in both runs, so that a smaller or larger suite does not look better. */
  readonly was: Tally
  readonly now: Tally
}

export interface CaseChange extends Pick<CaseSummary, 'case' | 'name' | 'file' | 'model'> {
  /** The case itself has changed. */
  readonly edited: boolean
  readonly was?: CaseStanding
  readonly now?: CaseStanding
}

export interface CaseStanding {
  readonly verdict: Verdict
  readonly passes: number
  readonly tries: number
}

/**
 * `known` contains the ids of all existing cases: a case that was merely not selected this time is not gone. If each
 * run had one model and the models differ, they are compared with each other.
 */
export function compareRuns(now: RunSummary, was: RunSummary, known?: ReadonlySet<string>): RunComparison {
  const column = columnsOf(now, was)
  const earlier = new Map(was.cases.map((one) => [keyOf(one, column), one]))
  const pairs = now.cases.map((one) => ({ now: one, was: earlier.get(keyOf(one, column)) }))
  const met = new Set(now.cases.map((one) => keyOf(one, column)))
  const missing = was.cases.filter(
    (one) => !met.has(keyOf(one, column)) && (known === undefined || !known.has(one.case)),
  )
  const both = pairs.filter((pair): pair is { now: CaseSummary; was: CaseSummary } => pair.was !== undefined)
  const judged = both.map((pair) => ({ pair, what: changeOf(pair.now, pair.was) }))
  const those = (what: Change): CaseChange[] =>
    judged.filter((one) => one.what === what).map(({ pair }) => changed(pair.now, pair.was))
  const { id, startedAt, commit, models } = was.run
  return {
    before: { id, startedAt, ...(commit !== undefined && { commit }), models },
    regressions: those('regression'),
    mended: those('mended'),
    shifted: those('shifted'),
    added: pairs.filter((pair) => pair.was === undefined).map((pair) => changed(pair.now, undefined)),
    gone: missing.map((one) => changed(undefined, one)),
    unchanged: judged.filter(({ what }) => what === 'none').length,
    was: tallyCases(both.map((pair) => pair.was)),
    now: tallyCases(both.map((pair) => pair.now)),
  }
}

type Change = 'regression' | 'mended' | 'shifted' | 'none'

function changeOf(now: CaseSummary, was: CaseSummary): Change {
  if (was.verdict === 'passed' && (now.verdict === 'failed' || now.verdict === 'broken')) return 'regression'
  if (now.verdict === 'passed' && was.verdict !== 'passed') return 'mended'
  if (now.verdict !== was.verdict) return 'shifted'
  return now.passes * was.tries === was.passes * now.tries ? 'none' : 'shifted'
}

function changed(now: CaseSummary | undefined, was: CaseSummary | undefined): CaseChange {
  const one = (now ?? was)!
  return {
    case: one.case,
    name: one.name,
    file: one.file,
    model: one.model,
    edited: now !== undefined && was !== undefined && now.hash !== was.hash,
    ...(was !== undefined && { was: standing(was) }),
    ...(now !== undefined && { now: standing(now) }),
  }
}

const standing = ({ verdict, passes, tries }: CaseSummary): CaseStanding => ({ verdict, passes, tries })

const keyOf = (one: CaseSummary, column: (model: string) => string): string =>
  JSON.stringify([one.case, column(one.model)])

function columnsOf(now: RunSummary, was: RunSummary): (model: string) => string {
  const modelsOf = ({ cases }: RunSummary): string[] => [
    ...new Set(cases.map(({ model }) => model).filter((model) => model !== '-')),
  ]
  const [one, ...others] = modelsOf(now)
  const [other, ...more] = modelsOf(was)
  return others.length === 0 && more.length === 0
    ? (model) => (model === other ? (one ?? model) : model)
    : (model) => model
}
