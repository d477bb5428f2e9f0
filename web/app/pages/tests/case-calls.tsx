import { CodeText } from '../../kit/data/code-text.tsx'
import { callText, resultText, sqlOfCall } from './call-sql.ts'
import type { Attempt } from './case-attempt.tsx'
import styles from './case-pane.module.css'

/** The tool calls of a try, in order; statements as SQL. */
export const CaseCalls = ({ calls }: { calls: Attempt['calls'] }) => (
  <section>
    <h3 className={styles.subtitle}>
      Called <span className={styles.soft}>{calls.length}</span>
    </h3>
    {calls.map((call, at) => (
      <Call key={at} call={call} />
    ))}
  </section>
)

const Call = ({ call: { tool, input, failed, result } }: { call: Attempt['calls'][number] }) => {
  const sql = sqlOfCall(input)
  return (
    <details className={styles.fold}>
      <summary>
        <code>{tool}</code>
        {failed && <span className={styles.bad}>failed</span>}
        <span className={styles.glance}>{(sql ?? input).replaceAll(/\s+/g, ' ').slice(0, 200)}</span>
      </summary>
      {sql === undefined ? (
        <pre className={styles.text} tabIndex={0}>
          {callText(input)}
        </pre>
      ) : (
        <CodeText language="sql" text={sql} className={styles.text!} />
      )}
      {result !== '' && (
        <pre className={styles.text} tabIndex={0} aria-label={`Result of ${tool}`}>
          {resultText(result)}
        </pre>
      )}
    </details>
  )
}
