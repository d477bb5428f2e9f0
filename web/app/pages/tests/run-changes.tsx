import type { Calls } from '../../api/call.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { RunSearch } from './routes.ts'
import styles from './run-summary.module.css'

type Comparison = NonNullable<Calls['test_show']['output']['comparison']>
type Change = Comparison['regressions'][number]

interface Props {
  readonly comparison: Comparison
  readonly search: RunSearch
  readonly look: (next: RunSearch) => void
}

/** Outcomes that differ from the earlier run. */
export const RunChanges = ({ comparison, search, look }: Props) => {
  const groups: readonly (readonly [string, readonly Change[]])[] = [
    ['Newly failing', comparison.regressions],
    ['Newly passing', comparison.mended],
    ['Different share of tries passes', comparison.shifted],
    ['New', comparison.added],
    ['Removed', comparison.gone],
  ]
  const some = groups.filter(([, changes]) => changes.length > 0)
  return (
    <section aria-label="Compared with the earlier run" className={styles.changes}>
      {some.length === 0 && <p>All {comparison.unchanged} cases have the same result.</p>}
      {some.map(([title, changes]) => (
        <div key={title}>
          <h2 className={styles.title}>
            {title} <span className={styles.soft}>{changes.length}</span>
          </h2>
          <ul>
            {changes.slice(0, SHOWN).map((one) => (
              <li key={`${one.case}\n${one.model}`} className={styles.change}>
                <Name change={one} search={search} look={look} />
                {one.was && <OutcomeMark outcome={one.was.verdict} />}
                {one.was && one.now && <span aria-label="became">→</span>}
                {one.now && <OutcomeMark outcome={one.now.verdict} />}
                {one.edited && <span className={styles.soft}>the case was edited</span>}
              </li>
            ))}
          </ul>
          {changes.length > SHOWN && <p className={styles.soft}>and {changes.length - SHOWN} more</p>}
        </div>
      ))}
    </section>
  )
}

const SHOWN = 50

const Name = ({ change, search, look }: { change: Change; search: RunSearch; look: (next: RunSearch) => void }) =>
  change.now === undefined ? (
    <span>{change.name}</span>
  ) : (
    <button
      type="button"
      className={styles.link}
      onClick={() => look({ ...search, case: change.case, ...(change.model === '-' ? {} : { model: change.model }) })}
    >
      {change.name}
    </button>
  )
