import type { Calls } from '../../../api/call.ts'
import styles from './forget.module.css'

type Matches = Calls['forget']['output']['matches']

/** Everything that would be forgotten, before confirmation. */
export const ToBeForgotten = ({ matches }: { matches: Matches }) => (
  <>
    <p>
      Removes it from Ken’s files, the index and later harvests. This cannot be undone. The agents’ own logs are not
      changed.
    </p>
    <ul className={styles.matches} aria-label="To be removed">
      {matches.slice(0, MOST).map(({ kind, title, path, client }) => (
        <li key={`${path} ${title}`} className={styles.match}>
          <span className={styles.kind}>{client === undefined ? kind : `${kind}, ${client}`}</span>
          <span>{title}</span>
          <span className={styles.path}>{path}</span>
        </li>
      ))}
    </ul>
    {matches.length > MOST && <p>And {matches.length - MOST} more.</p>}
  </>
)

const MOST = 50
