import { Link } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { nearestLine } from '../../../../src/record/domain/nearest-line.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Icon } from '../../kit/icon.tsx'
import { usePaused } from '../../kit/use-paused.ts'
import { VerdictMark } from '../../kit/verdict-mark.tsx'
import { isBegun, pathsOf, toInput, type ProposalDraft } from './proposal.ts'
import { numberOf, type Related } from './use-check.ts'
import styles from './live-checks.module.css'

const PAUSE_MS = 350
const LONGEST = 4_000

/** Checks a proposal while it is written: whether it would be accepted, and what to consider first. */
export const LiveChecks = ({ draft, supersedes }: { draft: ProposalDraft; supersedes: readonly number[] }) => {
  const settled = usePaused(draft, PAUSE_MS)
  const enabled = isBegun(settled)
  const files = pathsOf(settled.files)
  const trial = useAnswer(
    'propose_decision',
    { ...toInput(settled, supersedes), dry_run: true },
    { enabled, keep: true },
  )
  const check = useAnswer(
    'check_decision',
    {
      proposed_approach: (settled.title.trim() || settled.rationale.trim()).slice(0, LONGEST) || ' ',
      ...(settled.rationale.trim() !== '' && { context: settled.rationale.trim().slice(0, LONGEST) }),
      ...(files.length > 0 && { files }),
    },
    { enabled, keep: true },
  )
  const fault = trial.error ?? check.error
  const related = [...(check.data?.related_decisions ?? []), ...(check.data?.returns_to ?? [])].filter(
    (hit) => !supersedes.includes(numberOf(hit.id)),
  )
  return (
    <aside className={styles.checks} aria-label="Checks">
      <h3 className={styles.heading}>Related decisions</h3>
      {!enabled && <p className={styles.calm}>Checked against all decisions as you type.</p>}
      {fault !== null && enabled && <FaultNote fault={fault} />}
      {enabled && fault === null && (
        <>
          <Trial answer={trial.data} draft={settled} />
          {check.data !== undefined && related.length === 0 && (
            <p className={styles.calm}>{['No related decisions.', ...nearestLine(check.data.nearest)].join(' ')}</p>
          )}
          <ul className={styles.hits} aria-label="Similar decisions">
            {related.map((hit) => (
              <Hit key={hit.id} hit={hit} />
            ))}
          </ul>
        </>
      )}
    </aside>
  )
}

const Trial = ({
  answer,
  draft,
}: {
  answer: { status: string; assessment: string; error?: { reason: string } | undefined } | undefined
  draft: ProposalDraft
}) => {
  if (answer === undefined) return null
  // An incomplete proposal is not an error.
  if (draft.title.trim() === '') return <p className={styles.calm}>Enter the decision to record it.</p>
  if (draft.rationale.trim() === '') return <p className={styles.calm}>Enter why to record it.</p>
  return answer.status === 'rejected' ? (
    <p className={styles.blocked} role="status">
      <Icon name="bad" /> Would be rejected: {answer.error?.reason ?? answer.assessment}
    </p>
  ) : (
    <p className={styles.fine} role="status">
      <Icon name="check" /> Ready to record.
    </p>
  )
}

const Hit = ({ hit }: { hit: Related }) => {
  const project = useProject()
  const number = numberOf(hit.id)
  return (
    <li className={styles.hit}>
      <p className={styles.title}>
        <VerdictMark verdict={hit.verdict} short />
        <Link to="/$project/decisions/$id" params={{ project, id: String(number) }} search={{}} target="_blank">
          {label(number)} {hit.title}
        </Link>
      </p>
      {hit.brings_back && (
        <p className={styles.rejected}>
          {hit.brings_back.inferred ? 'Perhaps rejected' : 'Rejected'} by {hit.brings_back.rejected_by}:{' '}
          {hit.brings_back.alternative}. {hit.brings_back.reason}
        </p>
      )}
      {hit.governs && <p className={styles.warn}>Governs one of these files.</p>}
      {hit.superseded_by !== undefined && (
        <p className={styles.warn}>Returns to a decision superseded by {label(Number(hit.superseded_by))}.</p>
      )}
      <p className={styles.preview}>{hit.rationale_preview}</p>
    </li>
  )
}
