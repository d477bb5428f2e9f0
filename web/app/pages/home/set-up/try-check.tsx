import { useState } from 'react'
import { reintroduces } from '../../../../../src/kernel/domain/phrases.ts'
import { decisionNumber } from '../../../../../src/record/domain/decision/decision-id.ts'
import { label } from '../../../../../src/record/domain/decision/decision.ts'
import { useAnswer } from '../../../api/queries.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { TextField } from '../../../kit/field.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'
import { usePaused } from '../../../kit/use-paused.ts'
import { VerdictMark } from '../../../kit/verdict-mark.tsx'
import styles from './set-up.module.css'

const PAUSE_MS = 180
const SHORTEST = 3
const MOST_SHOWN = 3

/** The first check against the new record; `example` is an idea that a decision rejected. */
export const TryCheck = ({ example }: { readonly example: unknown }) => {
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim(), PAUSE_MS)
  const isAsked = text.length >= SHORTEST
  const { data, error } = useAnswer('check_decision', { proposed_approach: text }, { enabled: isAsked, keep: true })
  const hits = data?.related_decisions ?? []
  const back = hits.find((hit) => hit.brings_back !== undefined)?.brings_back
  return (
    <div className={styles.check}>
      <TextField
        label="Check an idea against the decisions"
        hint={typeof example === 'string' ? `For example: ${example}` : undefined}
        maxLength={5_000}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {error && <FaultNote fault={error} />}
      <div className={styles.verdict} role="status">
        {isAsked && data && (
          <>
            <p>
              {back === undefined
                ? hits.length === 0
                  ? 'No related decisions.'
                  : 'Related decisions:'
                : `Conflict: it ${reintroduces(back.alternative, back.rejected_by)}.`}
            </p>
            <ul>
              {hits.slice(0, MOST_SHOWN).map(({ id, title, verdict }) => (
                <li key={id}>
                  <VerdictMark verdict={verdict} />{' '}
                  <PlaceLink to={`decisions/${decisionNumber(id)}`}>
                    {label(decisionNumber(id)!)} {title}
                  </PlaceLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
