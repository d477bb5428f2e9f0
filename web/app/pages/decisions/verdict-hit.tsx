import { useEffect, useRef, type ReactNode } from 'react'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { classNames } from '../../kit/class-names.ts'
import { Marked } from '../../kit/marked.tsx'
import { TrustMark } from '../../kit/trust-mark.tsx'
import { VerdictMark, type Verdict } from '../../kit/verdict-mark.tsx'
import { numberOf, type Found, type Related } from './use-check.ts'
import { dayWords } from './words.ts'
import styles from './verdict-hit.module.css'

interface Option {
  readonly id: string
  readonly isActive: boolean
  readonly words: string
  readonly onOpen: () => void
}

/** A decision related to an approach, with the alternative it would reintroduce. */
export const RelatedHit = ({ hit, ...option }: Option & { hit: Related }) => (
  <Hit {...option} {...hit} number={numberOf(hit.id)} text={hit.rationale_preview}>
    {hit.brings_back && (
      <span className={styles.rejected}>
        {hit.brings_back.inferred ? 'Perhaps rejected' : 'Rejected'} by {hit.brings_back.rejected_by}:{' '}
        {hit.brings_back.alternative}
        {hit.brings_back.reason !== '' && <span className={styles.reason}> · {hit.brings_back.reason}</span>}
      </span>
    )}
    {hit.superseded_by !== undefined && (
      <span className={styles.replaced}>Replaced by {label(Number(hit.superseded_by))}</span>
    )}
  </Hit>
)

/** A decision that contains the words. */
export const FoundHit = ({ hit, ...option }: Option & { hit: Found }) => (
  <Hit {...option} {...hit} text={hit.relevance_snippet} />
)

interface HitProps extends Option {
  readonly number: number
  readonly title: string
  readonly date: string
  readonly status: string
  readonly verdict: Verdict
  readonly trust: Related['trust']
  readonly text: string
  readonly children?: ReactNode
}

const Hit = ({
  id,
  isActive,
  words,
  onOpen,
  number,
  title,
  date,
  status,
  verdict,
  trust,
  text,
  children,
}: HitProps) => {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classNames(styles.hit, isActive && styles.active)}
      // Keeps the focus in the field, otherwise the list would close before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className={styles.mark}>
        <VerdictMark verdict={verdict} short />
      </span>
      <span className={styles.label}>{label(number)}</span>
      <span className={styles.main}>
        <span className={classNames(styles.title, status === 'superseded' && styles.old)}>
          <Marked text={title} words={telling(words)} />
        </span>
        {children}
        <span className={styles.preview}>
          <Marked text={text} words={telling(words)} />
        </span>
      </span>
      <span className={styles.aside}>
        {dayWords(date)}
        {status === 'superseded' && <span>superseded</span>}
        {trust !== 'approved' && <TrustMark trust={trust} />}
      </span>
    </div>
  )
}

/** Words to highlight; two-letter words occur inside too many other words. */
const telling = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word.length > 2)
