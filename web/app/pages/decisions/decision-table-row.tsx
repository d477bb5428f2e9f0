import { label } from '../../../../src/record/domain/decision/decision.ts'
import { classNames } from '../../kit/class-names.ts'
import { plainTitle } from '../../kit/names.ts'
import { trustEdge } from '../../kit/trust-mark.tsx'
import type { Column } from './table-columns.ts'
import type { DecisionRow } from './use-decision-list.ts'
import { dayWords, typeWords } from './words.ts'
import styles from './decision-table.module.css'

/** A decision as a row of the table: its title over its outcome, and its facts in columns. */
export const DecisionTableRow = ({ row, columns }: { row: DecisionRow; columns: readonly Column[] }) => (
  <div className={classNames(styles.row, row.trust !== 'approved' && trustEdge(row.trust))}>
    <span className={styles.number}>{label(row.number)}</span>
    <span className={styles.words}>
      <span className={classNames(styles.title, row.status === 'superseded' && styles.old)}>
        {plainTitle(row.title)}
      </span>
      <span className={styles.outcome}>
        {row.status === 'superseded' && <span className={styles.state}>superseded</span>}
        {row.trust !== 'approved' && <span className={styles.trust}>{row.trust}</span>}
        {row.outcome !== undefined && plainTitle(row.outcome)}
      </span>
    </span>
    {columns.includes('type') && (
      <span className={styles.type}>{row.type === undefined ? '' : typeWords(row.type)}</span>
    )}
    {columns.includes('files') && <span className={styles.files}>{filesWords(row)}</span>}
    <span className={styles.confidence}>{row.confidence}</span>
    <span className={styles.date}>{dayWords(row.date)}</span>
  </div>
)

/** `src/cache/** and 2 more`. */
function filesWords({ files = [], files_total: total = 0 }: DecisionRow): string {
  const [first] = files
  if (first === undefined) return ''
  return total === 1 ? first : `${first} and ${total - 1} more`
}
