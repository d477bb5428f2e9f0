import { Link } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useProject } from '../../api/queries.ts'
import { Facts } from '../../frame/inspector/facts.tsx'
import { InInspector } from '../../frame/inspector/in-inspector.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { TrustMark } from '../../kit/trust-mark.tsx'
import type { DecisionSearch } from './search.ts'
import { useHistory, type OpenDecision } from './use-decision.ts'
import { dayWords, madeWords, typeWords } from './words.ts'
import styles from './decision-inspector.module.css'

const MOST_EVENTS = 12

/** Origin, time, author, trust, links and history, beside the page. */
export const DecisionInspector = ({ decision, search }: { decision: OpenDecision; search: DecisionSearch }) => {
  const { number, status, trust, parts, lineage = [] } = decision
  const { data } = useHistory(number, search.asOf, { diffs: false })
  const made = data?.events.findLast(({ what }) => what === 'recorded')
  const own = lineage.find((one) => one.number === number)
  const successors = lineage.filter(({ replaces }) => replaces.includes(number)).map((one) => one.number)
  const links = (numbers: readonly number[]) =>
    numbers.length === 0 ? undefined : <Numbers numbers={numbers} search={search} />
  return (
    <>
      <InInspector title={label(number)}>
        <Facts
          facts={[
            ['Status', status],
            ['Decided', parts && dayWords(parts.date)],
            [
              'Recorded',
              made && (
                <>
                  <TimeAgo at={made.at} />, {madeWords(made, parts?.source)}
                </>
              ),
            ],
            ['Commit', made?.commit && <code>{made.commit.slice(0, 12)}</code>],
            ['Session', made?.session],
            ['Trust', <TrustMark key="trust" trust={trust} />],
            ['Type', parts?.type && typeWords(parts.type)],
            ['Confidence', parts?.confidence],
            ['Reversal', parts?.reversibility],
            ['Source', parts?.source],
            ['Version', parts && String(parts.version)],
            ['Replaces', links(own?.replaces ?? [])],
            ['Replaced by', links(successors)],
          ]}
        />
      </InInspector>
      {(data?.events.length ?? 0) > 0 && (
        <InInspector title="History">
          <ol className={styles.events}>
            {data?.events.slice(0, MOST_EVENTS).map((event) => (
              <li key={event.id} className={styles.event}>
                <span>{event.what}</span> <TimeAgo at={event.at} />
              </li>
            ))}
          </ol>
        </InInspector>
      )}
    </>
  )
}

const Numbers = ({ numbers, search }: { numbers: readonly number[]; search: DecisionSearch }) => {
  const project = useProject()
  return numbers.map((number, at) => (
    <span key={number}>
      {at > 0 && ', '}
      <Link to="/$project/decisions/$id" params={{ project, id: String(number) }} search={search}>
        {label(number)}
      </Link>
    </span>
  ))
}
