import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import { Icon } from '../../../kit/icon.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { dayWords } from '../../../kit/time-words.ts'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import type { TableFacts } from './facts.ts'
import heading from '../heading.module.css'
import styles from './table-page.module.css'

/** Name, contents, freshness and actions of the table. */
export const TableHead = ({ facts }: { facts: TableFacts }) => {
  const project = useProject()
  const dot = facts.table.indexOf('.')
  return (
    <header className={styles.head}>
      <p className={styles.place}>
        {facts.database} · {facts.table.slice(0, dot)} · {facts.kind}
      </p>
      <div className={styles.title}>
        <h2 className={heading.pane}>{facts.table.slice(dot + 1)}</h2>
        <Link
          to="/$project/context/sql"
          params={{ project }}
          search={{ sql: `SELECT * FROM ${facts.table} LIMIT 100`, db: facts.database }}
          className={styles.query}
        >
          Query in SQL
        </Link>
        <Link
          to="/$project/ask"
          params={{ project }}
          search={{ question: `${mentionOf(facts.table)} ` }}
          className={styles.ask}
        >
          <Icon name="ask" size={16} />
          Ask about this table
        </Link>
      </div>
      {facts.comment !== undefined && <p className={styles.comment}>{facts.comment}</p>}
      <p className={styles.facts}>
        <TrustMark trust="compiled" />
        {facts.rows !== undefined && <span>{facts.rows.toLocaleString('en-US')} rows</span>}
        <span>{facts.columns.length} columns</span>
        {facts.hidden > 0 && <span>{facts.hidden} hidden</span>}
        <Freshness facts={facts} />
      </p>
      {facts.stale !== undefined && (
        <p className={styles.stale} role="status">
          <Icon name="warn" size={14} />
          <span>
            Its database has been unreachable since {dayWords(facts.stale.since)}: {facts.stale.reason}
          </span>
        </p>
      )}
    </header>
  )
}

/** Quotes a name with characters other than those of a word. */
const mentionOf = (table: string): string =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.]*$/u.test(table) ? `@${table}` : `@"${table}"`

/** `data through 12 Nov 2026, profiled 2 days ago`. */
const Freshness = ({
  facts: { through, profiled_at: profiled, checked_at: checked, data_changed_at: changed },
}: {
  facts: TableFacts
}) => (
  <span>
    {through !== undefined && (
      <span title={`The last day in ${through.column}`}>data through {dayWords(through.day)}, </span>
    )}
    {through === undefined && changed !== undefined && (
      <>
        rows changed <TimeAgo at={changed} />,{' '}
      </>
    )}
    {profiled === undefined ? 'read ' : 'profiled '}
    {checked === '' ? 'at an unknown time' : <TimeAgo at={profiled ?? checked} />}
  </span>
)
