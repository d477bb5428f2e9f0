import { useAnswer } from '../../../api/queries.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { EmptyState } from '../../../kit/empty-state.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { SourceFacts } from './source-facts.tsx'
import { sourceState } from './source-state.ts'
import { StateMark } from './state-mark.tsx'
import heading from '../heading.module.css'
import styles from './sources-page.module.css'

/** Read-only sources of a team's context: it is compiled elsewhere and comes from git. */
export const ServedSources = () => {
  usePageTitle('Sources')
  const { data, error, refetch } = useAnswer('source_list', {})
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h2 className={heading.pane}>Sources</h2>
      </header>
      <p className={styles.outcome}>
        They are compiled where the databases are reached, on a machine or in CI, and come here with the next push.
      </p>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={4} label="Loading the sources" />}
      {data?.sources.length === 0 && (
        <EmptyState
          title="ken.yaml names no source yet: a database, a dbt project, a repository or documents. Add one in the repository and push it."
          command="ken source add"
        />
      )}
      <ul className={styles.sources}>
        {(data?.sources ?? []).map((source) => {
          const state = sourceState(source)
          return (
            <li key={source.key} id={source.key} className={styles.source} aria-label={source.name}>
              <div className={styles.line}>
                <h2 className={styles.name}>{source.name}</h2>
                <StateMark state={state} />
              </div>
              <SourceFacts source={source} state={state} isReasonTold />
            </li>
          )
        })}
      </ul>
    </article>
  )
}
