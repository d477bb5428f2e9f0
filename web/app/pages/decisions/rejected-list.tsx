import { Reading } from '../../kit/reading.tsx'
import type { OpenDecision } from './use-decision.ts'
import styles from './rejected-list.module.css'

type Own = NonNullable<OpenDecision['parts']>['rejected']
type Kept = NonNullable<OpenDecision['still_rejected']>

/** What was considered and rejected, each with its reason: by the decision itself, and by those that it came to replace. */
export const RejectedList = ({ rejected, kept = [], of }: { rejected: Own; kept?: Kept | undefined; of: string }) => (
  <>
    <Alternatives heading="Rejected" label={`Rejected for ${of}`} rejected={rejected} />
    <Alternatives
      heading="Still rejected"
      label={`Still rejected for ${of}`}
      rejected={kept.map(({ name, reason, by, since }) => ({ name: `${name} (${by}, ${since})`, reason }))}
    />
  </>
)

const Alternatives = ({ heading, label, rejected }: { heading: string; label: string; rejected: Own }) =>
  rejected.length === 0 ? null : (
    <section className={styles.section} aria-label={label}>
      <h3 className={styles.heading}>{heading}</h3>
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
