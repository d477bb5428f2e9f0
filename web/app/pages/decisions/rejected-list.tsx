import { inferredFrom, reviewedReason } from '../../../../src/record/domain/decision/inferred.ts'
import { useAct } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Reading } from '../../kit/reading.tsx'
import type { OpenDecision } from './use-decision.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './rejected-list.module.css'

type Own = NonNullable<OpenDecision['parts']>['rejected']
type Kept = NonNullable<OpenDecision['still_rejected']>

interface Props {
  readonly rejected: Own
  readonly kept?: Kept | undefined
  readonly of: string
  /** Number of the decision, if alternatives inferred by an import can be reviewed here. */
  readonly review?: number | undefined
}

/** Rejected alternatives with their reasons: of the decision itself, and of those it supersedes. */
export const RejectedList = ({ rejected, kept = [], of, review }: Props) => (
  <>
    <Alternatives heading="Rejected" label={`Rejected for ${of}`} rejected={rejected} review={review} />
    <Alternatives
      heading="Still rejected"
      label={`Still rejected for ${of}`}
      rejected={kept.map(({ name, reason, by, since }) => ({ name: `${name} (${by}, ${since})`, reason }))}
    />
  </>
)

interface ListProps extends Pick<Props, 'rejected' | 'review'> {
  readonly heading: string
  readonly label: string
}

const Alternatives = ({ heading, label, rejected, review }: ListProps) =>
  rejected.length === 0 ? null : (
    <section className={styles.section} aria-label={label}>
      <h3 className={styles.heading}>{heading}</h3>
      <dl className={styles.list}>
        {rejected.map((one, at) => (
          <div key={at} className={styles.one}>
            <dt className={styles.name}>
              <span aria-hidden="true" className={styles.cross}>
                ✕
              </span>{' '}
              {one.name}
            </dt>
            <dd>
              <Reason {...one} />
              {review !== undefined && inferredFrom(one) !== undefined && <Review number={review} name={one.name} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

const Reason = ({ reason }: Own[number]) => {
  const sentence = inferredFrom({ reason })
  const stated = reviewedReason({ reason })
  return (
    <>
      {sentence !== undefined && (
        <p className={styles.none}>
          Inferred by the import, not reviewed{sentence !== '' && sentence !== stated && `: “${sentence}”`}
        </p>
      )}
      {stated === null || stated === '' ? (
        <p className={styles.none}>No reason recorded.</p>
      ) : (
        <Reading text={stated} heading={4} />
      )}
    </>
  )
}

/** A person keeps or removes an alternative inferred by an import. */
const Review = ({ number, name }: { number: number; name: string }) => {
  const accept = useAct('accept')
  const say = useUndoToast()
  const decisions = [String(number)]
  const keep = (): void =>
    accept.mutate({ decisions, rejected: [name] }, { onSuccess: () => void say(`Kept: ${name} was rejected.`) })
  const remove = (): void =>
    accept.mutate({ decisions, not_rejected: [name] }, { onSuccess: () => void say(`Removed ${name}.`) })
  return (
    <p className={styles.review}>
      <Button size="small" icon="check" busy={accept.isPending} onClick={keep}>
        Keep
      </Button>
      <Button size="small" icon="close" busy={accept.isPending} onClick={remove}>
        Remove
      </Button>
      {accept.error !== null && <FaultNote fault={accept.error} />}
    </p>
  )
}
