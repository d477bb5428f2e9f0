import { useDeferredValue, useMemo, useState } from 'react'
import { isOffered } from '../../../api/server.ts'
import { DataGrid } from '../../../kit/data/data-grid.tsx'
import { ResultTools } from '../../../kit/data/result-tools.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Select } from '../../../kit/select.tsx'
import { Tabs } from '../../../kit/tabs.tsx'
import { SaveExample } from './save-example.tsx'
import { filterRows, firstAxes, groupedBy } from './shape-result.ts'
import { SqlChart } from './sql-chart.tsx'
import type { SqlAnswer, Statement } from './use-run-sql.ts'
import styles from './sql-page.module.css'

interface Props {
  readonly statement: Statement
  readonly answer: SqlAnswer
  readonly onRun: (statement: Statement) => void
}

/** The rows of a statement, with actions to sort, filter, count per value, draw and download. */
export const SqlResult = ({ statement, answer, onRun }: Props) => {
  const [tab, setTab] = useState<'rows' | 'chart'>('rows')
  const [words, setWords] = useState('')
  const wanted = useDeferredValue(words)
  const rows = useMemo(() => filterRows(answer, wanted), [answer, wanted])
  const axes = useMemo(() => firstAxes(answer), [answer])
  const shared = { columns: answer.columns, rows, isCut: answer.isCut }
  return (
    <section className={styles.rows} aria-label="Result">
      <Tabs
        label="Result"
        value={tab}
        onChange={setTab}
        tabs={axes === undefined ? TABS.slice(0, 1) : TABS}
        aside={
          <ResultTools {...shared} {...statement} name="result" queryId={wanted === '' ? answer.queryId : undefined} />
        }
      >
        <div className={styles.tools}>
          <p className={styles.count} role="status">
            {countWords(answer, rows.length)}
          </p>
          <TextField
            type="search"
            label="Filter these rows"
            hideLabel
            placeholder="Filter these rows"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <Select
            label="Count rows by"
            hideLabel
            value=""
            options={[
              { value: '', label: 'Count by…' },
              ...answer.columns.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={(column) => column !== '' && onRun(groupedBy(statement, column))}
          />
          {isOffered('run_sql') && <SaveExample key={statement.sql} statement={statement} />}
        </div>
        {tab === 'chart' && axes !== undefined ? (
          <SqlChart key={statement.sql} data={shared} axes={axes} />
        ) : (
          <DataGrid {...shared} label="Rows of the result" isFilling />
        )}
        {answer.notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      </Tabs>
    </section>
  )
}

const TABS = [
  { value: 'rows', label: 'Rows' },
  { value: 'chart', label: 'Chart' },
] as const

function countWords({ rowCount, isCut, milliseconds }: SqlAnswer, shown: number): string {
  const all = `${isCut ? 'the first ' : ''}${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'}`
  const told = shown === rowCount ? all : `${shown.toLocaleString('en-US')} of ${all}`
  const time =
    milliseconds === undefined ? '' : ` · ${Math.max(1, Math.round(milliseconds)).toLocaleString('en-US')} ms`
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}${time}`
}
