import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAnswer } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Reading } from '../../kit/reading.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { DecisionActions } from './decision-actions.tsx'
import { DecisionHistory } from './decision-history.tsx'
import { DecisionInspector } from './decision-inspector.tsx'
import { DecisionSessions } from './decision-sessions.tsx'
import { DecisionStatus } from './decision-status.tsx'
import { GovernedFiles } from './governed-files.tsx'
import { LineageChain } from './lineage-chain.tsx'
import { RejectedList } from './rejected-list.tsx'
import type { DecisionSearch } from './search.ts'
import type { OpenDecision } from './use-decision.ts'
import styles from './decision-pane.module.css'

interface Props {
  readonly search: DecisionSearch
  readonly number: number | undefined
  /** The id in the URL, if it is not a number. */
  readonly asked: string
}

/** One decision, for reading. */
export const DecisionPane = ({ search, number, asked }: Props) => {
  const { data, error, refetch } = useAnswer(
    'get_decision',
    { number: number ?? 0, parts: true, ...(search.asOf !== undefined && { as_of: search.asOf }) },
    { enabled: number !== undefined },
  )
  if (number === undefined)
    return <p className={styles.fault}>“{asked}” is not a decision. Use a number such as D012.</p>
  if (error !== null)
    return (
      <div className={styles.fault}>
        <FaultNote fault={error} again={() => void refetch()} />
      </div>
    )
  if (data === undefined) return <Skeleton rows={6} label="Loading the decision" />
  return <Essay key={number} decision={data} search={search} />
}

const Essay = ({ decision, search }: { decision: OpenDecision; search: DecisionSearch }) => {
  const { number, title, parts, lineage = [] } = decision
  usePageTitle(`${label(number)} ${title}`)
  return (
    <article className={styles.essay} aria-labelledby={`decision-${number}`}>
      <LineageChain lineage={lineage} number={number} search={search} />
      <h2 className={styles.title} id={`decision-${number}`} tabIndex={-1}>
        <span className={styles.label}>{label(number)}</span> {title}
      </h2>
      <DecisionStatus decision={decision} asOf={search.asOf} />
      <DecisionActions decision={decision} search={search} />
      <Reading text={parts?.rationale ?? decision.content} heading={3} />
      {parts !== undefined && (
        <>
          <RejectedList
            rejected={parts.rejected}
            kept={decision.still_rejected}
            of={label(number)}
            review={search.asOf === undefined ? number : undefined}
          />
          <GovernedFiles decision={decision} files={parts.files} isNow={search.asOf === undefined} />
          <DecisionSessions number={number} title={title} />
          <DecisionHistory number={number} asOf={search.asOf} />
          <DecisionInspector decision={decision} search={search} />
        </>
      )}
    </article>
  )
}
