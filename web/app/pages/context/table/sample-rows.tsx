import { useMemo } from 'react'
import { DataGrid } from '../../../kit/data/data-grid.tsx'
import type { TableFacts } from './facts.ts'
import styles from './table-page.module.css'

/** A few rows from the compiled file, in which personal data is masked. */
export const SampleRows = ({ facts: { preview, columns } }: { facts: TableFacts }) => {
  const types = useMemo(() => new Map(columns.map(({ name, type }) => [name, type])), [columns])
  const shown = useMemo(
    () => preview?.columns.map((name) => ({ name, type: types.get(name) ?? '' })) ?? [],
    [preview, types],
  )
  if (preview === undefined) return null
  return (
    <section aria-labelledby="table-rows">
      <h2 id="table-rows" className={styles.heading}>
        Sample rows
      </h2>
      <DataGrid label="Sample rows" columns={shown} rows={preview.rows} />
      <p className={styles.note}>{preview.note}</p>
    </section>
  )
}
