import { useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Keys } from '../../../kit/keys.tsx'
import { PlaceLink } from '../../../kit/place-link.tsx'
import { Reading } from '../../../kit/reading.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { RejectedList } from '../../decisions/rejected-list.tsx'
import type { ReviewItem } from './review-items.ts'
import type { useReview } from './use-review.ts'
import actions from './draft-actions.module.css'
import styles from './draft-pane.module.css'

interface Props {
  readonly item: Exclude<ReviewItem, { of: 'draft' | 'conflict' }>
  readonly review: ReturnType<typeof useReview>
}

/** A decision pending review: an agent proposal, rejections that an import inferred, or drift. */
export const DecisionReview = ({ item, review }: Props) => {
  const { data, error, refetch } = useAnswer('get_decision', { number: item.number, parts: true })
  const supersede = `decisions/new?${new URLSearchParams({ supersedes: JSON.stringify([item.number]) })}`
  return (
    <article className={styles.pane} aria-label={item.title}>
      <header className={styles.head}>
        <p className={styles.kind}>{KINDS[item.of]}</p>
        <h2 className={styles.title}>
          {item.mark} {item.title}
        </h2>
        {item.of === 'drift' && <Drift item={item} />}
      </header>
      <div className={actions.actions}>
        {item.of !== 'drift' && (
          <Button look="primary" icon="check" busy={review.isBusy} onClick={() => review.accept([item])}>
            {item.of === 'proposal' ? 'Accept' : 'All were rejected'} <Keys of="a" />
          </Button>
        )}
        {item.of === 'import' && (
          <Button icon="close" busy={review.isBusy} onClick={() => review.dismiss([item])}>
            None was rejected <Keys of="d" />
          </Button>
        )}
        <span className={actions.ways}>
          <PlaceLink to={`decisions/${item.number}`}>Open the decision</PlaceLink>
          {item.of !== 'import' && <PlaceLink to={supersede}>Supersede it</PlaceLink>}
          {item.of === 'proposal' && <PlaceLink to={`decisions/${item.number}/edit`}>Edit it</PlaceLink>}
        </span>
      </div>
      {error !== null && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} label="Loading the decision" />}
      {data?.parts !== undefined && (
        <>
          <RejectedList rejected={data.parts.rejected} of={item.mark} review={item.number} />
          <Reading text={data.parts.rationale} heading={3} />
        </>
      )}
    </article>
  )
}

const KINDS = {
  proposal: 'Proposed by an agent, pending review',
  import: 'Rejected alternatives that an import inferred',
  drift: 'The code no longer follows this decision',
} as const

const Drift = ({ item: { finding } }: { item: Extract<ReviewItem, { of: 'drift' }> }) => (
  <p className={styles.why}>
    {finding.about}: {finding.was}; now {finding.now}
    {finding.path !== null && ` in ${finding.path}${finding.line === null ? '' : `:${finding.line}`}`}. Next:{' '}
    {finding.next}.
  </p>
)
