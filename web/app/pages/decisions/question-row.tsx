import { label } from '../../../../src/record/domain/decision/decision.ts'
import { plainTitle } from '../../kit/names.ts'
import { partedQuestion } from '../../kit/parted-question.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import type { Question } from './questions-view.tsx'
import { dayWords } from './words.ts'
import styles from './question-row.module.css'

export const QuestionRow = ({
  question: { id, body, asked_at: at, resolved_by: by, resolved_on: on },
}: {
  question: Question
}) => {
  const { asked, context } = partedQuestion(body)
  return (
    <div className={styles.row}>
      <span className={styles.body}>{plainTitle(asked)}</span>
      {context !== undefined && <span className={styles.context}>{plainTitle(context)}</span>}
      <span className={styles.facts}>
        <span className={styles.id}>{id}</span>
        {by !== undefined && (
          <span>
            resolved by {label(by)}
            {on !== undefined && `, ${dayWords(on)}`}
          </span>
        )}
        {by === undefined && at !== undefined && <TimeAgo at={at} />}
      </span>
    </div>
  )
}
