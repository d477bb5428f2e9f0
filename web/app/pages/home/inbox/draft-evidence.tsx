import { CodeText } from '../../../kit/data/code-text.tsx'
import type { ShownDraft } from './draft-words.ts'
import styles from './draft-evidence.module.css'

/** Source of a draft, verbatim. Untrusted: shown as text only. */
export const DraftEvidence = ({ shown: { evidence, session } }: { shown: ShownDraft }) => {
  const { question, answer, words, sql } = evidence
  if (question === undefined && words === undefined && session === undefined) return null
  return (
    <section className={styles.evidence} aria-labelledby="evidence">
      <h3 id="evidence">Evidence</h3>
      <dl className={styles.said}>
        {question !== undefined && <Said by="You asked" words={question} />}
        {answer !== undefined && answer !== '' && <Said by="The analyst answered" words={uncited(answer)} />}
        {words !== undefined && <Said by={question === undefined ? 'You said' : 'Your feedback'} words={words} />}
        {session !== undefined && <Said by="In the session" words={session} />}
      </dl>
      {sql.map((statement, at) => (
        <CodeText key={at} language="sql" text={statement} className={styles.code!} />
      ))}
    </section>
  )
}

const Said = ({ by, words }: { by: string; words: string }) => (
  <div>
    <dt className={styles.by}>{by}</dt>
    <dd className={styles.words}>{words}</dd>
  </div>
)

/** Numbers without the links to their cells, which only work in the chat. */
const uncited = (answer: string): string => answer.replaceAll(/\[([^\][]{0,80})\]\(q_[0-9a-f]{12}[^)]{0,200}\)/g, '$1')
