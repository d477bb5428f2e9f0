import { classNames } from '../../kit/class-names.ts'
import { DecisionWords } from './decision-words.tsx'
import type { DecisionRow } from './use-decision-list.ts'
import { counted, monthWords } from './words.ts'
import styles from './timeline-line.module.css'

/** A loaded line of the timeline. */
export type Line =
  | { readonly kind: 'month'; readonly month: string; readonly count: number }
  | { readonly kind: 'decision'; readonly row: DecisionRow }

export const TimelineLine = ({ line }: { line: Line }) =>
  line.kind === 'month' ? (
    <div className={styles.month}>
      <span>{monthWords(line.month)}</span>
      <span className={styles.count}>{counted(line.count, 'decision')}</span>
    </div>
  ) : (
    <div className={styles.line}>
      <span className={styles.day}>{line.row.date.slice(8)}</span>
      <span className={classNames(styles.dot, line.row.status === 'superseded' && styles.hollow)} aria-hidden="true" />
      <span className={styles.main}>
        <DecisionWords row={line.row} />
      </span>
    </div>
  )
