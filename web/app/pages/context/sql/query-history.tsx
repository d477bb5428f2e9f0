import type { Calls } from '../../../api/call.ts'
import type { Statement } from './use-run-sql.ts'
import styles from './sql-page.module.css'

interface Props {
  readonly earlier: readonly Statement[]
  readonly tables: Calls['list_tables']['output']['tables']
  readonly onOpen: (statement: Statement) => void
}

/** Statements run before, or one to begin with; a click puts one into the editor. */
export const QueryHistory = ({ earlier, tables, onOpen }: Props) => {
  const isNew = earlier.length === 0
  const shown = isNew ? tables.slice(0, 3).map(firstStatement) : earlier
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="sql-earlier">
      <h3 id="sql-earlier" className={styles.heading}>
        {isNew ? 'Examples' : 'Earlier statements'}
      </h3>
      <ul>
        {shown.map((one) => (
          <li key={`${one.database} ${one.sql}`}>
            <button type="button" className={styles.earlier} onClick={() => onOpen(one)}>
              <span className={styles.database}>{one.database}</span>
              <code>{one.sql.replaceAll(/\s+/g, ' ')}</code>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        Statements only read, and only tables of the context. They are kept in this browser.
      </p>
    </section>
  )
}

const firstStatement = ({ database, table }: Props['tables'][number]): Statement => ({
  database,
  sql: `SELECT * FROM ${table} LIMIT 100`,
})
