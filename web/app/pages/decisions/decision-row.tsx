import { classNames } from '../../kit/class-names.ts'
import { trustEdge } from '../../kit/trust-mark.tsx'
import { DecisionWords, type ShownDecision } from './decision-words.tsx'
import { dayWords } from './words.ts'
import styles from './decision-row.module.css'

/** A decision in a list; its border shows whether a person approved it. */
export const DecisionRowView = ({ row, words }: { row: ShownDecision; words?: readonly string[] }) => (
  <div className={classNames(styles.row, row.trust !== 'approved' && trustEdge(row.trust))}>
    <DecisionWords row={row} day={dayWords(row.date)} {...(words && { words })} />
  </div>
)
