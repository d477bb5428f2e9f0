import { addUsage, NO_USAGE, type Usage } from '../../kernel/domain/model-usage.ts'
import type { TestAttempt, TestRun } from './test-run.ts'

/** Result of a run: for each case with each model, and in total. */
export interface RunSummary {
  readonly run: TestRun
  /** By case, then model. */
  readonly cases: readonly CaseSummary[]
  readonly total: Tally
  readonly kinds: readonly NamedTally[]
  readonly tags: readonly NamedTally[]
  readonly models: readonly NamedTally[]
}

export type CaseFacts = Pick<TestAttempt, 'case' | 'hash' | 'name' | 'file' | 'kind' | 'tags' | 'need' | 'model'>

export interface CaseSummary extends CaseFacts {
  readonly verdict: Verdict
  readonly passes: number
  readonly tries: number
  /** Tries that could not be made; included in `tries`. */
  readonly brokenTries: number
  readonly usage: Usage
  readonly milliseconds: number
  readonly attempts: readonly TestAttempt[]
}

/** `unfinished`: the run ended before the verdict was certain. */
export const VERDICTS = ['passed', 'failed', 'broken', 'unfinished'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Tally {
  readonly cases: number
  readonly passed: number
  readonly failed: number
  /** In the total, includes invalid cases. */
  readonly broken: number
  readonly unfinished: number
  readonly tries: number
  /** In the total: tries that were planned and not made. */
  readonly notRun: number
  /** Share of passes among cases that passed or failed; null without any. */
  readonly passRate: number | null
  readonly passAt1: number | null
  /** Maximum number of tries of any case. */
  readonly k: number
  /** Probability that one of k tries passes, over the cases that were tried k times. */
  readonly passAtK: number | null
  /** Probability that all of k tries pass. */
  readonly passAllK: number | null
  readonly usage: Usage
  /** Tries with a model of unknown price: `usage.cost` is less than the actual cost. */
  readonly withoutPrice: number
  /** Sum over all tries, as if sequential. */
  readonly milliseconds: number
}

export interface NamedTally extends Tally {
  readonly name: string
}

export function summariseRun(run: TestRun, attempts: readonly TestAttempt[]): RunSummary {
  const groups = new Map<string, TestAttempt[]>()
  for (const attempt of attempts) {
    const key = JSON.stringify([attempt.case, attempt.model])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [attempt])
    else group.push(attempt)
  }
  const cases = [...groups.values()].map((group) => summariseCase(run, group)).toSorted(byCaseAndModel)
  const tally = tallyCases(cases)
  return {
    run,
    cases,
    total: {
      ...tally,
      broken: tally.broken + run.broken.length,
      notRun: Math.max(0, run.planned - attempts.length),
    },
    kinds: tallied(cases, ({ kind }) => [kind]),
    tags: tallied(cases, ({ tags }) => [...new Set(tags)]),
    models: tallied(cases, ({ model }) => [model]),
  }
}

/** Probability that one of k tries passes, if c of n did: the share of k-subsets of n with a pass. */
export function passAtK(n: number, c: number, k: number): number {
  let none = 1
  for (let i = n - c + 1; i <= n; i++) none *= Math.max(0, 1 - k / i)
  return 1 - none
}

/** Probability that k tries all pass, if c of n did. */
export function passAllK(n: number, c: number, k: number): number {
  let all = 1
  for (let i = 0; i < k; i++) all *= Math.max(0, c - i) / (n - i)
  return all
}

/** Combined figures of the cases. */
export function tallyCases(cases: readonly CaseSummary[]): Tally {
  const counted = (verdict: Verdict): number => cases.filter((one) => one.verdict === verdict).length
  const [passed, failed] = [counted('passed'), counted('failed')]
  const rated = cases
    .map(({ passes, tries, brokenTries }) => ({ n: tries - brokenTries, c: passes }))
    .filter(({ n }) => n > 0)
  const k = rated.reduce((most, { n }) => Math.max(most, n), 0)
  const often = rated.filter(({ n }) => n === k)
  const attempts = cases.flatMap((one) => one.attempts)
  return {
    cases: cases.length,
    passed,
    failed,
    broken: counted('broken'),
    unfinished: counted('unfinished'),
    tries: attempts.length,
    notRun: 0,
    passRate: passed + failed === 0 ? null : passed / (passed + failed),
    passAt1: mean(rated.map(({ n, c }) => c / n)),
    k,
    passAtK: mean(often.map(({ n, c }) => passAtK(n, c, k))),
    passAllK: mean(often.map(({ n, c }) => passAllK(n, c, k))),
    usage: cases.reduce((sum, one) => addUsage(sum, one.usage), NO_USAGE),
    withoutPrice: attempts.filter(hasNoPrice).length,
    milliseconds: sumOf(cases.map(({ milliseconds }) => milliseconds)),
  }
}

function summariseCase(run: TestRun, group: readonly TestAttempt[]): CaseSummary {
  const attempts = group.toSorted((a, b) => a.attempt - b.attempt)
  // A case edited while a run was interrupted has tries of both versions; the last one is current.
  const last = attempts.at(-1)!
  const count = (outcome: TestAttempt['outcome']): number => attempts.filter((one) => one.outcome === outcome).length
  const [passes, brokenTries, tries] = [count('passed'), count('broken'), attempts.length]
  const planned = run.end?.reason === 'complete' ? tries : Math.max(tries, run.runs)
  return {
    case: last.case,
    hash: last.hash,
    name: last.name,
    file: last.file,
    kind: last.kind,
    tags: last.tags,
    need: last.need,
    model: last.model,
    verdict: judge({ passes, brokenTries, tries, planned, needed: neededOf(last.need, planned) }),
    passes,
    tries,
    brokenTries,
    usage: attempts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    milliseconds: sumOf(attempts.map(({ milliseconds }) => milliseconds)),
    attempts,
  }
}

/** Verdict of a case, decided as soon as the remaining tries cannot change it. */
function judge(one: {
  readonly passes: number
  readonly brokenTries: number
  readonly tries: number
  readonly planned: number
  readonly needed: number
}): Verdict {
  if (one.passes >= one.needed) return 'passed'
  if (one.passes + one.planned - one.tries >= one.needed) return 'unfinished'
  return one.brokenTries > 0 ? 'broken' : 'failed'
}

const neededOf = (need: TestAttempt['need'], planned: number): number =>
  need === 'all' ? planned : need === 'any' ? 1 : Math.min(need, planned)

function tallied(cases: readonly CaseSummary[], namesOf: (one: CaseSummary) => readonly string[]): NamedTally[] {
  const groups = new Map<string, CaseSummary[]>()
  for (const one of cases)
    for (const name of namesOf(one)) {
      const group = groups.get(name) ?? []
      groups.set(name, group)
      group.push(one)
    }
  return [...groups]
    .map(([name, group]) => ({ name, ...tallyCases(group) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const byCaseAndModel = (a: CaseSummary, b: CaseSummary): number =>
  a.case < b.case ? -1 : a.case > b.case ? 1 : a.model < b.model ? -1 : 1

const hasNoPrice = ({ usage }: TestAttempt): boolean => usage.cost === undefined && usage.input + usage.output > 0

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

const mean = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : sumOf(numbers) / numbers.length
