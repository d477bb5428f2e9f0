import { isOffered } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import { HarvestPanel } from './harvest-panel.tsx'
import { isNarrowed, unnarrowed, type MemorySearch } from './memory-address.ts'
import styles from './nothing-found.module.css'

interface Props {
  readonly search: MemorySearch
  readonly notes: readonly string[]
  readonly onSearch: (search: MemorySearch) => void
}

const NothingShared = () => (
  <EmptyState
    title="Sessions and notes that people share with this project appear here. Share some from the machine that has them."
    command="ken share"
  />
)

/** Explains why there are no hits, and how to change the search. */
export const NothingFound = ({ search, notes, onSearch }: Props) => {
  const isAsked = (search.q ?? '').trim() !== ''
  if (!isAsked && !isNarrowed(search)) return isOffered('harvest') ? <HarvestPanel /> : <NothingShared />
  return (
    <div className={styles.nothing}>
      <p role="status">{isAsked ? `Nothing found for “${search.q}”.` : 'Nothing here yet.'}</p>
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          <WithCode>{note}</WithCode>
        </p>
      ))}
      <div className={styles.ways}>
        {isNarrowed(search) && <Button onClick={() => onSearch(unnarrowed(search))}>Search without filters</Button>}
        {search.workspace !== 'all' && (
          <Button onClick={() => onSearch({ ...search, workspace: 'all' })}>Search all workspaces</Button>
        )}
      </div>
    </div>
  )
}
