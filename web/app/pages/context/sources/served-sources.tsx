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
        Sources are compiled where the databases can be reached (a developer’s machine or CI) and arrive with the next
        push.
      </p>
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={4} label="Loading the sources" />}
      {data?.sources.length === 0 && (
        <EmptyState
          title="No sources in ken.yaml yet: databases, dbt projects, repositories or documents. Add one in the repository and push."
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
