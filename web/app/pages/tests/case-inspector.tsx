import { Link } from '@tanstack/react-router'
import type { Calls } from '../../api/call.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Facts } from '../../frame/inspector/facts.tsx'
import { InInspector } from '../../frame/inspector/in-inspector.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import { whenOf } from './run-words.ts'
import styles from './case-pane.module.css'

type Shown = Calls['test_show']['output']

/** Origin of a case, and its outcome in each run. */
export const CaseInspector = ({ one, run }: { one: Shown['cases'][number]; run: Shown['run'] }) => {
  const project = useProject()
  const { data } = useAnswer('test_runs', { limit: 200, cases: true })
  const at = data?.cases?.findIndex((each) => each.case === one.case && each.model === one.model) ?? -1
  const history = (data?.runs ?? []).flatMap((each) => {
    const verdict = each.verdicts?.[at]
    return verdict ? [{ id: each.id, started_at: each.started_at, verdict }] : []
  })
  return (
    <InInspector title="Case">
      <Facts
        facts={[
          ['File', one.file],
          ['Kind', one.kind],
          ['Needs', one.need === 'all' ? 'every try' : one.need === 'any' ? 'one try' : `${one.need} tries`],
          ['Model', one.model === '-' ? 'none' : one.model],
          ['Commit', run.commit?.slice(0, 10)],
        ]}
      />
      <h3 className={styles.subtitle}>Runs</h3>
      <ol className={styles.history}>
        {history.slice(0, SHOWN).map((each) => (
          <li key={each.id}>
            <Link
              to="/$project/tests/run/$run"
              params={{ project, run: each.id }}
              search={{ case: one.case, ...(one.model !== '-' && { model: one.model }) }}
              aria-current={each.id === run.id ? 'true' : undefined}
            >
              {whenOf(each.started_at)}
            </Link>
            <OutcomeMark outcome={each.verdict} />
          </li>
        ))}
      </ol>
      {history.length > SHOWN && <p className={styles.none}>and {history.length - SHOWN} more in the strip</p>}
    </InInspector>
  )
}

const SHOWN = 20
