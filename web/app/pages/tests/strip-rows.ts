import type { Calls } from '../../api/call.ts'
import type { Outcome } from './outcome-mark.tsx'

type Cases = Calls['test_cases']['output']
type Runs = Calls['test_runs']['output']

export interface CaseRow {
  readonly kind: 'case'
  /** Id and model. */
  readonly key: string
  readonly id: string
  readonly name: string
  readonly file: string
  readonly line: number | undefined
  readonly about: string
  readonly tags: readonly string[]
  /** Undefined if the case uses no model, or has not run with one yet. */
  readonly model: string | undefined
  /** Whether the case is no longer in any file. */
  readonly isGone: boolean
  /** One for each run, oldest first. */
  readonly outcomes: readonly Outcome[]
}

export interface SuiteRow {
  readonly kind: 'suite'
  readonly key: string
  readonly file: string
  readonly cases: number
}

export type StripRow = CaseRow | SuiteRow

/** Every case in a file, and every case of the runs, below its file. */
export function stripRows(cases: Cases | undefined, runs: Runs | undefined): readonly StripRow[] {
  const columns = (runs?.runs ?? []).toReversed()
  const known = new Map((cases?.cases ?? []).map((one) => [one.id, one]))
  const ran = (runs?.cases ?? []).map((one, at): CaseRow => {
    const now = known.get(one.case)
    return {
      kind: 'case',
      key: `${one.case}\n${one.model}`,
      id: one.case,
      name: one.name,
      file: one.file,
      line: now?.line,
      about: one.kind,
      tags: now?.tags ?? one.tags,
      model: one.model === '-' ? undefined : one.model,
      isGone: cases !== undefined && now === undefined,
      outcomes: columns.map(({ verdicts }) => verdicts?.[at] ?? 'not run'),
    }
  })
  const met = new Set(ran.map(({ id }) => id))
  const fresh = [...known.values()]
    .filter(({ id }) => !met.has(id))
    .map((one): CaseRow => ({
      kind: 'case',
      key: `${one.id}\n-`,
      id: one.id,
      name: one.name,
      file: one.file,
      line: one.line,
      about: one.kind,
      tags: one.tags,
      model: undefined,
      isGone: false,
      outcomes: columns.map(() => 'not run'),
    }))
  return inSuites([...ran, ...fresh])
}

/** Rows that match the filters; a suite without any is left out. */
export function chosenRows(
  rows: readonly StripRow[],
  { q = '', only }: { readonly q?: string | undefined; readonly only?: 'failing' | undefined },
): readonly StripRow[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return inSuites(
    rows.filter((row): row is CaseRow => {
      if (row.kind !== 'case') return false
      if (only === 'failing' && !isFailing(row)) return false
      const text = `${row.name} ${row.file} ${row.about} ${row.tags.join(' ')} ${row.model ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    }),
  )
}

/** Whether the case did not pass in the last run that included it. */
const isFailing = ({ outcomes }: CaseRow): boolean => {
  const last = outcomes.findLast((one) => one !== 'not run')
  return last !== undefined && last !== 'passed'
}

function inSuites(cases: readonly CaseRow[]): readonly StripRow[] {
  const suites = Map.groupBy(cases, ({ file }) => file)
  return [...suites]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, inside]) => [
      { kind: 'suite', key: `suite ${file}`, file, cases: new Set(inside.map(({ id }) => id)).size } as const,
      ...inside.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || (a.key < b.key ? -1 : 1)),
    ])
}
