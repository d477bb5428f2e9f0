import { useAnswer } from '../../../api/queries.ts'
import { CodeText } from '../../../kit/data/code-text.tsx'
import { WithCode } from '../../../kit/with-code.tsx'
import { editableText, isYaml, type ShownDraft } from './draft-words.ts'
import styles from './draft-text.module.css'

/** The draft's text, and the change that applying it would make. */
export const DraftText = ({ shown }: { shown: ShownDraft }) => (
  <section className={styles.text} aria-label="The draft">
    {isYaml(shown.kind) ? (
      <CodeText language="yaml" text={shown.body} className={styles.code!} />
    ) : (
      <blockquote className={styles.words}>{editableText(shown)}</blockquote>
    )}
    {shown.problem !== undefined && <p className={styles.problem}>{shown.problem} Edit it first.</p>}
    {shown.unfinished && (
      <p className={styles.problem}>
        <WithCode>The expected result is missing. Add it and remove the tag `draft` to run the test.</WithCode>
      </p>
    )}
    {shown.settled === undefined && shown.problem === undefined && shown.kind === 'rule' && <Change draft={shown.id} />}
  </section>
)

/** Preview of the change: without `yes`, `inbox_apply` writes nothing. */
const Change = ({ draft }: { draft: string }) => {
  const { data } = useAnswer('inbox_apply', { draft })
  if (data === undefined) return null
  return (
    <>
      <h3 className={styles.heading}>Changes to {data.where}</h3>
      {data.diff === '' ? (
        <p>Already there. No changes.</p>
      ) : (
        <pre className={styles.diff} tabIndex={0}>
          {lines(data.diff)}
        </pre>
      )}
    </>
  )
}

const lines = (diff: string) =>
  diff.split('\n').map((line, at) => (
    <span
      key={at}
      className={line.startsWith('+') ? styles.added : line.startsWith('-') ? styles.removed : styles.same}
    >
      {line}
      {'\n'}
    </span>
  ))
