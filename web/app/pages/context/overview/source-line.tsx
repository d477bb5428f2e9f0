import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { sourceState, type SourceRow } from '../sources/source-state.ts'
import { StateMark } from '../sources/state-mark.tsx'
import styles from './overview.module.css'

/** One source in one line. */
export const SourceLine = ({ source }: { source: SourceRow }) => {
  const state = sourceState(source)
  return (
    <li className={styles.source}>
      <Link to="/$project/context/sources" params={{ project: useProject() }} hash={source.key} className={styles.name}>
        {source.name}
      </Link>
      <span className={styles.soft}>{source.type}</span>
      <StateMark state={state} />
      <span className={styles.soft}>{source.synced !== undefined && <TimeAgo at={source.synced} />}</span>
      {state.reason !== undefined && <p className={styles.reason}>{state.reason}</p>}
    </li>
  )
}
