import { useAnswer } from '../../api/queries.ts'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { AddCollection } from './add-collection.tsx'
import { CollectionRow } from './collection-row.tsx'
import { HarvestedAgents } from './harvested-agents.tsx'
import { Part } from './part.tsx'
import styles from './settings.module.css'

/** Folders that are searched in addition to notes, sessions and records, and the agents with harvested sessions. */
export const CollectionsSection = () => {
  const { data, error, refetch } = useAnswer('collection_list', {})
  const collections = data?.collections ?? []
  return (
    <>
      <Part title="Indexed folders" about="Ken only reads them. Removing one only removes it from the index.">
        {error && <FaultNote fault={error} again={() => void refetch()} />}
        {!error && data === undefined && <Skeleton rows={3} />}
        {data?.faults.map((fault) => (
          <p key={fault} className={styles.bad}>
            {fault}
          </p>
        ))}
        {data && collections.length === 0 && (
          <EmptyState
            title="Indexed folders of documents appear here. Add the first one."
            example={<code>handbook ~/handbook **/*.md</code>}
            command="ken collection add handbook ~/handbook"
          />
        )}
        {collections.length > 0 && (
          <ul className={styles.rows}>
            {collections.map((one) => (
              <li key={one.name}>
                <CollectionRow collection={one} />
              </li>
            ))}
          </ul>
        )}
        <AddCollection />
      </Part>
      <HarvestedAgents />
    </>
  )
}
