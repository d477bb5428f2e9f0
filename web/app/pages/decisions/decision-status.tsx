import { Link } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../api/queries.ts'
import { TrustMark } from '../../kit/trust-mark.tsx'
import { useHistory, type OpenDecision } from './use-decision.ts'
import { dayWords, madeWords } from './words.ts'
import styles from './decision-status.module.css'

/** One line: status, date, author and client, and trust. */
export const DecisionStatus = ({ decision, asOf }: { decision: OpenDecision; asOf: string | undefined }) => {
  const project = useProject()
  const { number, status, trust, parts, lineage = [] } = decision
  const { data } = useHistory(number, asOf, { diffs: false })
  const made = data?.events.findLast(({ what }) => what === 'recorded')
  const successors = lineage.filter(({ replaces }) => replaces.includes(number))
  return (
    <p className={styles.status}>
      <span className={status === 'active' ? styles.active : styles.old}>
        {status === 'active' ? 'Active' : 'Superseded'}
        {status === 'superseded' && successors.length > 0 && ' by '}
        {successors.map((one, at) => (
          <span key={one.number}>
            {at > 0 && ', '}
            <Link
              to="/$project/decisions/$id"
              params={{ project, id: String(one.number) }}
              search={asOf === undefined ? {} : { asOf }}
            >
              {label(one.number)}
            </Link>
          </span>
        ))}
      </span>
      {parts !== undefined && <span>decided {dayWords(parts.date)}</span>}
      {made !== undefined && <span>{madeWords(made, parts?.source)}</span>}
      <TrustMark trust={trust} />
    </p>
  )
}
