import type { Calls } from '../../api/call.ts'
import { CallInput } from '../../kit/data/call-input.tsx'
import { CodeText } from '../../kit/data/code-text.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Reading } from '../../kit/reading.tsx'
import { callFields, glanceOf, resultText, sqlOfCall } from './call-sql.ts'
import { DifferenceView } from './difference-view.tsx'
import styles from './case-pane.module.css'

type Attempt = Calls['test_show']['output']['cases'][number]['attempts'][number]

/** One try: failed checks first, then the question, the answer and the calls. */
export const CaseAttempt = ({ attempt }: { attempt: Attempt }) => {
  const checks = attempt.checks.toSorted((a, b) => Number(a.passed) - Number(b.passed))
  return (
    <>
      {checks.length === 0 && attempt.prompt === '' && (
        <p className={styles.none}>Older runs keep only the result of each try.</p>
      )}
      <ul className={styles.checks} aria-label="Checks">
        {checks.map((check, at) => (
          <li key={at} className={check.passed ? styles.held : styles.failed}>
            <Icon name={check.passed ? 'check' : 'close'} size={14} />
            <div>
              <span className="visually-hidden">{check.passed ? 'held: ' : 'failed: '}</span>
              <span>{check.expects}</span>
              {check.found !== undefined && <p className={styles.found}>Found: {check.found}</p>}
              {check.difference && <DifferenceView difference={check.difference} />}
            </div>
          </li>
        ))}
      </ul>
      {attempt.prompt !== '' && (
        <section>
          <h3 className={styles.subtitle}>Question</h3>
          <p className={styles.prompt}>{attempt.prompt}</p>
        </section>
      )}
      {attempt.answer !== '' && (
        <section>
          <h3 className={styles.subtitle}>Answer</h3>
          <Reading text={attempt.answer} heading={4} />
        </section>
      )}
      {attempt.calls.length > 0 && <CaseCalls calls={attempt.calls} />}
    </>
  )
}

/** The tool calls of a try, in order; statements as SQL. */
const CaseCalls = ({ calls }: { calls: Attempt['calls'] }) => (
  <section>
    <h3 className={styles.subtitle}>
      Tool calls <span className={styles.soft}>{calls.length}</span>
    </h3>
    {calls.map((call, at) => (
      <Call key={at} call={call} />
    ))}
  </section>
)

const Call = ({ call: { tool, input, failed, result } }: { call: Attempt['calls'][number] }) => {
  const fields = callFields(input)
  const sql = fields === undefined ? sqlOfCall(input) : undefined
  return (
    <details className={styles.fold}>
      <summary>
        <code>{tool}</code>
        {failed && <span className={styles.bad}>failed</span>}
        <span className={styles.glance}>{glanceOf(input)}</span>
      </summary>
      {fields !== undefined ? (
        <CallInput input={fields} />
      ) : sql === undefined ? (
        <pre className={styles.text} tabIndex={0}>
          {input}
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
