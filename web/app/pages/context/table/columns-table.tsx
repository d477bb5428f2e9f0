import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { ColumnRow } from './column-row.tsx'
import type { TableFacts } from './facts.ts'
import styles from './columns-table.module.css'

// Laying out more table rows is slow.
const SHOWN = 200
const WORTH_FINDING = 15

/** The columns as a table: type, nulls, distinct values, the most frequent ones, and descriptions. */
export const ColumnsTable = ({ facts }: { facts: TableFacts }) => {
  const [words, setWords] = useState('')
  const [isWhole, setWhole] = useState(false)
  const wanted = words.toLowerCase()
  const found = facts.columns.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
  const shown = isWhole ? found : found.slice(0, SHOWN)
  return (
    <section aria-labelledby="table-columns">
      <div className={styles.head}>
        <h2 id="table-columns">Columns</h2>
        {facts.columns.length > WORTH_FINDING && (
          <TextField
            type="search"
            label="Find a column"
            hideLabel
            placeholder="Find a column"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        )}
      </div>
      <div className={styles.scroller} tabIndex={0} role="group" aria-label="Columns of the table">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Nulls</th>
              <th scope="col" className={styles.number}>
                Distinct
              </th>
              <th scope="col">Values</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((column) => (
              <ColumnRow key={column.name} column={column} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length === 0 && <p className={styles.note}>No columns match.</p>}
      {found.length > shown.length && (
        <Button size="small" onClick={() => setWhole(true)}>
          Show all {found.length.toLocaleString('en-US')}
        </Button>
      )}
      {facts.profile_note !== undefined && <p className={styles.note}>{facts.profile_note}</p>}
    </section>
  )
}
