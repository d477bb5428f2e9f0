import { tablesRead } from './tables-read.ts'
import css from './result-card.module.css'

interface ResultLineageProps {
  readonly sql: string
  readonly database: string
  readonly tables?: readonly string[] | undefined
}

/** The tables that the rows come from. */
export function ResultLineage({ sql, database, tables }: ResultLineageProps) {
  const read = tables ?? tablesRead(sql)
  if (read.length === 0) return <p className={css.note}>This query reads no tables.</p>
  return (
    <ul className={css.tables} aria-label="Tables it reads">
      {read.map((table) => (
        <li key={table}>
          <span className={css.database}>{database}</span>
          <span aria-hidden> › </span>
          <span>{table}</span>
        </li>
      ))}
    </ul>
  )
}
