import { TimeAgo } from '../../kit/time-ago.tsx'
import styles from './two-lines.module.css'

interface Props {
  readonly mark: string | undefined
  readonly title: string
  readonly at: string | undefined
  readonly more: string
}

/** A list row: title and time, with details below. */
export const TwoLines = ({ mark, title, at, more }: Props) => (
  <div className={styles.row}>
    <span className={styles.line}>
      {mark !== undefined && <span className={styles.mark}>{mark}</span>}
      <span className={styles.title}>{title}</span>
    </span>
    {at !== undefined && <TimeAgo at={at} className={styles.age!} />}
    <span className={styles.more}>{more}</span>
  </div>
)
