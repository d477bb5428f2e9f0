import type { Calls } from '../../api/call.ts'
import { Icon } from '../../kit/icon.tsx'
import { Reading } from '../../kit/reading.tsx'
import { CaseCalls } from './case-calls.tsx'
import { DifferenceView } from './difference-view.tsx'
import styles from './case-pane.module.css'

export type Attempt = Calls['test_show']['output']['cases'][number]['attempts'][number]

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
          <h3 className={styles.subtitle}>Asked</h3>
          <p className={styles.prompt}>{attempt.prompt}</p>
        </section>
      )}
      {attempt.answer !== '' && (
        <section>
          <h3 className={styles.subtitle}>Answered</h3>
          <Reading text={attempt.answer} heading={4} />
        </section>
      )}
      {attempt.calls.length > 0 && <CaseCalls calls={attempt.calls} />}
    </>
  )
}
