import type { Calls } from '../../../api/call.ts'
import { keep, kept, readKept } from '../../../kit/kept-text.ts'
import type { Statement } from './use-run-sql.ts'
import styles from './sql-page.module.css'

interface Props {
  readonly earlier: readonly Statement[]
  readonly tables: Calls['list_tables']['output']['tables']
  readonly onOpen: (statement: Statement) => void
}

/** Statements that were run before, or one to begin with; a click puts a statement into the editor. */
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

const MOST = 50
const LONGEST = 20_000

const placeOf = (project: string): string => `ken.sql-history.${project}`

/** Statements run in this browser, newest first. */
export function readHistory(project: string): readonly Statement[] {
  const stored = readKept(kept(placeOf(project)))
  if (!Array.isArray(stored)) return []
  return stored.flatMap((one: Partial<Statement> | null) =>
    typeof one?.sql === 'string' && typeof one.database === 'string' ? [{ sql: one.sql, database: one.database }] : [],
  )
}

/** Puts a statement first, and returns the new list. Very long statements are not kept. */
export function remember(project: string, statement: Statement): readonly Statement[] {
  const others = readHistory(project).filter((one) => one.sql !== statement.sql || one.database !== statement.database)
  if (statement.sql.length > LONGEST) return others
  const next = [statement, ...others].slice(0, MOST)
  keep(placeOf(project), JSON.stringify(next))
  return next
}
