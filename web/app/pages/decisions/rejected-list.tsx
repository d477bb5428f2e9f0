import { Reading } from '../../kit/reading.tsx'
import type { OpenDecision } from './use-decision.ts'
import styles from './rejected-list.module.css'

type Rejected = NonNullable<OpenDecision['parts']>['rejected']

/** What was considered and turned down, each with its reason. */
export const RejectedList = ({ rejected, of }: { rejected: Rejected; of: string }) =>
  rejected.length === 0 ? null : (
    <section className={styles.section} aria-label={`Rejected for ${of}`}>
      <h3 className={styles.heading}>Rejected</h3>
      <dl className={styles.list}>
        {rejected.map(({ name, reason }, at) => (
          <div key={at} className={styles.one}>
            <dt className={styles.name}>
              <span aria-hidden="true" className={styles.cross}>
                ✕
              </span>{' '}
              {name}
            </dt>
            <dd>
              {reason === null || reason === '' ? (
                <p className={styles.none}>No reason was recorded.</p>
              ) : (
                <Reading text={reason} heading={4} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
