import { useNavigate } from '@tanstack/react-router'
import type { Calls } from '../../../api/call.ts'
import { useProject } from '../../../api/queries.ts'
import { VirtualList } from '../../../kit/virtual-list.tsx'
import styles from './overview.module.css'

type Row = Calls['list_tables']['output']['tables'][number]

/** The compiled tables, with their contents. */
export const TableList = ({ tables, total }: { tables: readonly Row[]; total: number }) => {
  const project = useProject()
  const navigate = useNavigate()
  const isOne = new Set(tables.map(({ database }) => database)).size <= 1
  return (
    <section aria-labelledby="context-tables" className={styles.tables}>
      <h2 id="context-tables" className={styles.heading}>
        Tables
      </h2>
      <div className={styles.list} style={{ '--rows': Math.min(tables.length, 14) }}>
        <VirtualList
          isMain
          label="Tables"
          items={tables}
          keyOf={({ database, table }) => `${database}/${table}`}
          onOpen={({ database, table }) =>
            void navigate({ to: '/$project/context/table/$', params: { project, _splat: `${database}/${table}` } })
          }
        >
          {(one) => (
            <span className={styles.table}>
              <span className={styles.tableName}>
                <span className={styles.soft}>
                  {isOne ? '' : `${one.database}.`}
                  {one.table.slice(0, one.table.indexOf('.') + 1)}
                </span>
                {one.table.slice(one.table.indexOf('.') + 1)}
              </span>
              <span className={styles.number}>
                {one.rows === undefined ? one.kind : `${one.rows.toLocaleString('en-US')} rows`}
              </span>
              <span className={styles.number}>{one.columns} columns</span>
              <span className={styles.comment}>{one.comment}</span>
              {one.stale && <span className={styles.old}>stale</span>}
            </span>
          )}
        </VirtualList>
      </div>
      {total > tables.length && (
        <p className={styles.line}>{(total - tables.length).toLocaleString('en-US')} more; find them in the tree.</p>
      )}
    </section>
  )
}
