import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { useHistory, type DecisionEvent } from './use-decision.ts'
import { whoWords } from './words.ts'
import styles from './decision-history.module.css'

const SHORT = 5

/** Changes to the decision with their authors and text changes, newest first. */
export const DecisionHistory = ({ number, asOf }: { number: number; asOf: string | undefined }) => {
  const [isWhole, setWhole] = useState(false)
  const { data: short } = useHistory(number, asOf, { diffs: false })
  const { data: full, error } = useHistory(number, asOf, { diffs: true })
  const events = (full ?? short)?.events ?? []
  if (events.length === 0 && error === null) return null
  const shown = isWhole ? events : events.slice(0, SHORT)
  return (
    <section className={styles.section} aria-label="History">
      <h3 className={styles.heading}>History</h3>
      {error !== null && <FaultNote fault={error} />}
      <ol className={styles.list}>
        {shown.map((event) => (
          <One key={event.id} event={event} />
        ))}
      </ol>
      {events.length > shown.length && (
        <Button look="quiet" size="small" onClick={() => setWhole(true)}>
          {events.length - shown.length} older
        </Button>
      )}
    </section>
  )
}

const One = ({ event }: { event: DecisionEvent }) => (
  <li className={styles.event}>
    <p className={styles.line}>
      <strong className={styles.what}>{event.what}</strong>
      <span>{whoWords(event)}</span>
      {event.commit !== undefined && <code>{event.commit.slice(0, 7)}</code>}
      <TimeAgo at={event.at} />
    </p>
    {event.diff !== undefined && (
      <details className={styles.diff}>
        <summary>What changed</summary>
        <TextDiff diff={event.diff} label={`What changed, ${event.what}`} />
      </details>
    )}
  </li>
)
