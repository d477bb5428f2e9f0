import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAnswer } from '../../../api/queries.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { DataGrid } from '../../../kit/data/data-grid.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { ColumnsTable } from './columns-table.tsx'
import type { TableFacts } from './facts.ts'
import { JoinsSection } from './joins-section.tsx'
import { LineageSection } from './lineage-section.tsx'
import { MentionedIn } from './mentioned-in.tsx'
import { TableHead } from './table-head.tsx'
import { TableInspector } from './table-inspector.tsx'
import { UsageSection } from './usage-section.tsx'
import heading from '../heading.module.css'
import styles from './table-page.module.css'

/** Everything that the context knows about one table. */
export const TablePage = () => {
  const { _splat: rest = '' } = useParams({ strict: false })
  const at = rest.indexOf('/')
  usePageTitle(rest.slice(at + 1))
  const { data, error, refetch } = useAnswer('table_facts', { database: rest.slice(0, at), table: rest.slice(at + 1) })
  if (error)
    return (
      <article className={styles.page}>
        <h2 className={heading.pane}>{rest.slice(at + 1)}</h2>
        <FaultNote fault={error} again={() => void refetch()} />
      </article>
    )
  if (data === undefined) return <Skeleton rows={10} label="Loading the table" />
  return (
    <article className={styles.page}>
      <TableHead facts={data} />
      <TableInspector facts={data} />
      <ColumnsTable facts={data} />
      <SampleRows facts={data} />
      <JoinsSection facts={data} />
      <LineageSection facts={data} />
      <UsageSection facts={data} />
      <MentionedIn facts={data} />
    </article>
  )
}

/** A few rows from the compiled file, in which personal data is masked. */
const SampleRows = ({ facts: { preview, columns } }: { facts: TableFacts }) => {
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
