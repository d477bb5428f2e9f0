import { label } from '../../../../src/core/decision/decision.ts'
import { classNames } from '../../kit/class-names.ts'
import { Marked } from '../../kit/marked.tsx'
import { trustEdge } from '../../kit/trust-mark.tsx'
import type { DecisionRow } from './use-decision-list.ts'
import { dayWords, typeWords } from './words.ts'
import styles from './decision-row.module.css'

type Shown = Pick<DecisionRow, 'number' | 'title' | 'date' | 'status' | 'trust'> & Partial<Pick<DecisionRow, 'type'>>

/** A decision in two lines. Only what is not as usual is said: superseded, or not a person's word. */
export const DecisionRowView = ({ row, words = NONE }: { row: Shown; words?: readonly string[] }) => (
  <div className={classNames(styles.row, row.trust !== 'approved' && trustEdge(row.trust))}>
    <span className={classNames(styles.title, row.status === 'superseded' && styles.old)}>
      <Marked text={row.title} words={words} />
    </span>
    <span className={styles.facts}>
      <span className={styles.label}>{label(row.number)}</span>
      <span>{dayWords(row.date)}</span>
      {row.type !== undefined && <span className={styles.type}>{typeWords(row.type)}</span>}
      {row.status === 'superseded' && <span>superseded</span>}
      {row.trust !== 'approved' && <span className={styles.trust}>{row.trust}</span>}
    </span>
  </div>
)

const NONE: readonly string[] = []
