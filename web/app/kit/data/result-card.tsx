import { useId, useState } from 'react'
import { IconButton } from '../button.tsx'
import { PlaceLink } from '../place-link.tsx'
import { Tabs } from '../tabs.tsx'
import { CodeText } from './code-text.tsx'
import { DataGrid, type DataGridProps } from './data-grid.tsx'
import { ResultTools } from './result-tools.tsx'
import { tablesRead } from './tables-read.ts'
import css from './result-card.module.css'

export interface ResultCardProps extends Omit<DataGridProps, 'label' | 'isFilling'> {
  /** Display name, such as `q3`. */
  readonly name: string
  /** Name of the database in `ken.yaml`. */
  readonly database: string
  /** Database engine, such as `duckdb`, if known. */
  readonly engine?: string | undefined
  readonly sql: string
  /** Id of the stored result, if any; files are created from it, or otherwise by running the query again. */
  readonly queryId?: string | undefined
  readonly milliseconds?: number | undefined
  /** Tables that the query reads, if known more precisely than from the statement. */
  readonly tables?: readonly string[]
  readonly notes?: readonly string[]
  readonly onRerun?: (() => void) | undefined
  readonly isRunning?: boolean
  readonly isFoldedAtFirst?: boolean
}

type Tab = 'result' | 'sql' | 'lineage'

/** A query with its result: `q3 · duckdb shop · 214 rows · 38 ms`. */
export function ResultCard(props: ResultCardProps) {
  const { name, sql, database, notes = [] } = props
  const id = useId()
  const [isFolded, setFolded] = useState(props.isFoldedAtFirst === true)
  const [tab, setTab] = useState<Tab>('result')
  return (
    <section className={css.card} aria-labelledby={id}>
      <header className={css.head}>
        <IconButton
          size="small"
          icon={isFolded ? 'chevron-right' : 'chevron-down'}
          label={`${isFolded ? 'Open' : 'Fold'} ${name}`}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        />
        <h3 id={id} className={css.title}>
          {headOf(props)}
        </h3>
      </header>
      {!isFolded && (
        <Tabs label={`Views of ${name}`} value={tab} onChange={setTab} tabs={TABS} aside={<ResultTools {...props} />}>
          {tab === 'result' && <DataGrid {...props} label={`Result of ${name}`} />}
          {tab === 'sql' && (
            <>
              <CodeText text={sql} language="sql" />
              <p className={css.note}>
                <PlaceLink to={`context/sql?${new URLSearchParams({ sql, db: database })}`}>
                  Open in the editor
                </PlaceLink>
              </p>
            </>
          )}
          {tab === 'lineage' && <ResultLineage sql={sql} database={database} tables={props.tables} />}
          {notes.map((note) => (
            <p key={note} className={css.note}>
              {note}
            </p>
          ))}
        </Tabs>
      )}
    </section>
  )
}

const TABS = [
  { value: 'result', label: 'Result' },
  { value: 'sql', label: 'SQL' },
  { value: 'lineage', label: 'Lineage' },
] as const

function headOf({ name, engine, database, rows, rowCount, isCut, milliseconds }: ResultCardProps): string {
  const count = rowCount ?? rows.length
  const told = `${isCut === true ? 'more than ' : ''}${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`
  return [
    name,
    [engine, database].filter(Boolean).join(' '),
    told,
    ...(milliseconds === undefined || milliseconds === 0 ? [] : [timeOf(milliseconds)]),
  ].join(' · ')
}

const timeOf = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1_000).toFixed(1)} s`

interface ResultLineageProps {
  readonly sql: string
  readonly database: string
  readonly tables?: readonly string[] | undefined
}

/** The tables that the rows come from. */
function ResultLineage({ sql, database, tables }: ResultLineageProps) {
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
