import { inPercent } from '../../../../src/evaluation/domain/figures.ts'
import { useAnswer } from '../../api/queries.ts'
import { Select } from '../../kit/select.tsx'
import { BrokenCases } from './broken-cases.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import type { RunSearch } from './routes.ts'
import type { ShownRun } from './run-cases.tsx'
import { RunChanges } from './run-changes.tsx'
import { endWords, passedWords, runTitle, spentWords } from './run-words.ts'
import styles from './run-summary.module.css'

interface Props {
  readonly shown: ShownRun
  readonly search: RunSearch
  readonly look: (next: RunSearch, replace?: boolean) => void
}

/** A run as a whole: its outcome, its model, and the comparison with an earlier one. */
export const RunSummary = ({ shown, search, look }: Props) => {
  const { run, total } = shown
  const facts: readonly (readonly [string, string])[] = [
    ['Models', run.models.filter((one) => one !== '-').join(', ') || 'none'],
    ['Took', spentWords(total).join(' · ')],
    ['Tries', `${total.tries}${total.not_run > 0 ? `, ${total.not_run} not run` : ''}`],
    ['One try passes', total.k > 1 ? inPercent(total.pass_at_1) : ''],
    ['Commit', run.commit?.slice(0, 10) ?? ''],
    ['Ken', run.ken],
  ]
  return (
    <div className={styles.summary}>
      <p className={styles.total}>
        {passedWords(total)}
        {endWords(run)}
      </p>
      <p className={styles.marks}>
        {(['failed', 'broken', 'unfinished'] as const)
          .filter((verdict) => total[verdict] > 0)
          .map((verdict) => (
            <span key={verdict}>
              {total[verdict]} <OutcomeMark outcome={verdict} />
            </span>
          ))}
      </p>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <BrokenCases broken={run.broken} drafts={[]} folder="tests" />
      <Baseline run={run.id} search={search} look={look} />
      {shown.comparison && <RunChanges comparison={shown.comparison} search={search} look={look} />}
    </div>
  )
}

const NONE = 'none'

const Baseline = ({ run, search, look }: Pick<Props, 'search' | 'look'> & { run: string }) => {
  const { data } = useAnswer('test_runs', { limit: 200 })
  const at = data?.runs.findIndex((one) => one.id === run) ?? -1
  const earlier = at < 0 ? [] : data!.runs.slice(at + 1)
  if (earlier.length === 0) return null
  const { baseline, ...rest } = search
  return (
    <Select
      label="Compare with"
      value={baseline ?? NONE}
      onChange={(value) => look(value === NONE ? rest : { ...rest, baseline: value }, true)}
      options={[
        { value: NONE, label: 'No other run' },
        ...earlier.map((one) => ({ value: one.id, label: runTitle(one) })),
      ]}
    />
  )
}
