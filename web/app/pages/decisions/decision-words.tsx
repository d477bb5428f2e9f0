import { label } from '../../../../src/record/domain/decision/decision.ts'
import { classNames } from '../../kit/class-names.ts'
import { Marked } from '../../kit/marked.tsx'
import { plainTitle } from '../../kit/names.ts'
import type { DecisionRow } from './use-decision-list.ts'
import { typeWords } from './words.ts'
import styles from './decision-words.module.css'

export type ShownDecision = Pick<DecisionRow, 'number' | 'title' | 'date' | 'status' | 'trust'> &
  Partial<Pick<DecisionRow, 'type'>>

interface Props {
  readonly row: ShownDecision
  /** Search terms to highlight in the title. */
  readonly words?: readonly string[]
  /** Date of the decision, if it is not visible elsewhere. */
  readonly day?: string
}

/** The two lines of a decision. Only exceptions are shown: superseded, or not approved by a person. */
export const DecisionWords = ({ row, words = NONE, day }: Props) => (
  <>
    <span className={classNames(styles.title, row.status === 'superseded' && styles.old)}>
      <Marked text={plainTitle(row.title)} words={words} />
    </span>
    <span className={styles.facts}>
      <span className={styles.label}>{label(row.number)}</span>
      {day !== undefined && <span>{day}</span>}
      {row.type !== undefined && <span className={styles.type}>{typeWords(row.type)}</span>}
      {row.status === 'superseded' && <span>superseded</span>}
      {row.trust !== 'approved' && <span className={styles.trust}>{row.trust}</span>}
    </span>
  </>
)

const NONE: readonly string[] = []
