import type { CaseFacts, RunSummary, Verdict } from './summary.ts'

/** Verdict of each case in each of several runs. */
export interface StripOfRuns {
  /** Each case once per model, sorted by file and name. */
  readonly cases: readonly Pick<CaseFacts, 'case' | 'name' | 'file' | 'kind' | 'tags' | 'model'>[]
  /** For each run, in the order given: one verdict per case, null if it was not in the run. */
  readonly verdicts: readonly (readonly (Verdict | null)[])[]
}

/** Takes each case's name from the first run that contains it, so pass the newest first. */
export function stripOfRuns(runs: readonly RunSummary[]): StripOfRuns {
  const known = new Map<string, StripOfRuns['cases'][number]>()
  for (const { cases } of runs)
    for (const one of cases)
      if (!known.has(keyOf(one)))
        known.set(keyOf(one), {
          case: one.case,
          name: one.name,
          file: one.file,
          kind: one.kind,
          tags: one.tags,
          model: one.model,
        })
  const cases = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    cases: cases.map(([, one]) => one),
    verdicts: runs.map((run) => {
      const own = new Map(run.cases.map((one) => [keyOf(one), one.verdict]))
      return cases.map(([key]) => own.get(key) ?? null)
    }),
  }
}

const keyOf = (one: Pick<CaseFacts, 'case' | 'model'>): string => JSON.stringify([one.case, one.model])
