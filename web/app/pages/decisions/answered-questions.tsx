import { useAnswer } from '../../api/queries.ts'
import styles from './answered-questions.module.css'

interface Props {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

const MOST = 50

/** The open questions that the decision answers; they are resolved with it. */
export const AnsweredQuestions = ({ chosen, onChange }: Props) => {
  const { data } = useAnswer('questions', {})
  // A question with only a time and no number cannot be referenced.
  const open = (data?.questions ?? []).filter(({ id }) => /^Q\d+$/.test(id))
  if (open.length === 0) return null
  return (
    <details className={styles.whole} open={chosen.length > 0}>
      <summary className={styles.summary}>Answered questions{chosen.length > 0 && `: ${chosen.join(', ')}`}</summary>
      <ul className={styles.list}>
        {open.slice(0, MOST).map(({ id, body }) => (
          <li key={id}>
            <label className={styles.one}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              <span>
                <span className={styles.id}>{id}</span> {body}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {open.length > MOST && <p className={styles.more}>and {open.length - MOST} more; resolve them in Questions</p>}
    </details>
  )
}
