import { useParams } from '@tanstack/react-router'
import { useAnswer } from '../../../api/queries.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { ColumnsTable } from './columns-table.tsx'
import { JoinsSection } from './joins-section.tsx'
import { LineageSection } from './lineage-section.tsx'
import { MentionedIn } from './mentioned-in.tsx'
import { SampleRows } from './sample-rows.tsx'
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
