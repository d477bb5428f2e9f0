import type { AnswerTrust } from '../../../../src/kernel/domain/trust/trust.ts'
import { classNames } from '../../kit/class-names.ts'
import { hitTitle } from '../../kit/names.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { trustEdge } from '../../kit/trust-mark.tsx'
import { VerdictMark, type Verdict } from '../../kit/verdict-mark.tsx'
import { MarkedText } from './marked-text.tsx'
import { passagesOf } from './passages.ts'
import type { Hit } from './use-hits.ts'
import styles from './result-row.module.css'

interface Props {
  readonly hit: Hit
  readonly question: string
  /** Heading of its day, if it is the first of the day. */
  readonly day?: string | undefined
  /** Facts of the session; replaces its passages. */
  readonly done?: string | undefined
  /** Whether to name the project or workspace. */
  readonly isPlaceShown: boolean
  /** Whether its day is above it, and every row is a session. */
  readonly isInDiary?: boolean
}

/** A document with at most three passages; its origin and trust are at its left edge. */
export const ResultRow = ({ day, ...rest }: Props) => (
  <>
    {day !== undefined && <p className={styles.day}>{day}</p>}
    <Row {...rest} />
  </>
)

// In the diary every row is a session, so its kind is left out and its actions come first.
const Row = ({ hit, question, done, isPlaceShown, isInDiary = false }: Omit<Props, 'day'>) => (
  <article className={classNames(styles.row, trustEdge(hit.trust as AnswerTrust), styles.edge)}>
    <header className={styles.head}>
      <span className={styles.title}>
        <MarkedText text={hitTitle(hit)} question={question} />
      </span>
      {isInDiary && !Number.isNaN(Date.parse(hit.modified)) ? (
        <time className={styles.age} dateTime={hit.modified}>
          {CLOCK.format(new Date(hit.modified))}
        </time>
      ) : (
        <TimeAgo className={styles.age!} at={hit.modified} />
      )}
    </header>
    <p className={styles.facts}>
      {question !== '' && <VerdictMark verdict={hit.verdict as Verdict} />}
      {done === undefined || done === '' ? <span>{hit.origin}</span> : <span className={styles.done}>{done}</span>}
      {!isInDiary && <span>{hit.trust}</span>}
      {isPlaceShown && <span className={styles.of}>{hit.of}</span>}
      {hit.standing !== undefined && (
        <span className={styles.standing}>
          {hit.superseded_by === undefined ? hit.standing : `superseded by ${hit.superseded_by}`}
        </span>
      )}
    </p>
    {(done === undefined || done === '') &&
      passagesOf(hit).map(({ line, text }) => (
        <p key={line} className={styles.passage}>
          <MarkedText text={text} question={question} />
        </p>
      ))}
  </article>
)

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
