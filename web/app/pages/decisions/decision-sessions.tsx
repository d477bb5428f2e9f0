import { Link } from '@tanstack/react-router'
import type { AnswerTrust } from '../../../../src/kernel/domain/trust/trust.ts'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { runningText } from '../../kit/running-text.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { TrustMark } from '../../kit/trust-mark.tsx'
import styles from './decision-sessions.module.css'

const MOST = 5
const LONGEST = 320

/** Sessions that mention the decision, and sessions about the same subject. */
export const DecisionSessions = ({ number, title }: { number: number; title: string }) => {
  const project = useProject()
  const { data } = useAnswer('memory_query', { query: `${label(number)} ${title}`, origin: ['session'], limit: MOST })
  const found = (data?.results ?? []).filter(({ verdict }) => verdict !== 'weak' && verdict !== 'none')
  if (found.length === 0) return null
  return (
    <section className={styles.section} aria-label="Sessions">
      <h3 className={styles.heading}>Mentions</h3>
      <ul className={styles.list}>
        {found.map(({ id, title: name, snippet, start_line: line, modified, trust }) => (
          <li key={id} className={styles.one}>
            <div className={styles.head}>
              <Link
                to={`/${encodeURIComponent(project)}/memory/doc/${encodeURIComponent(id)}` as string}
                search={{ line } as never}
              >
                {name}
              </Link>
              <span className={styles.aside}>
                <TrustMark trust={trust as AnswerTrust} /> <TimeAgo at={modified} />
              </span>
            </div>
            <p className={styles.snippet}>{runningText(snippet, LONGEST)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
