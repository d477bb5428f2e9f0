import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { FILTERS, isFiltered, type DecisionSearch, type ShownStatus } from './search.ts'
import { useSetSearch } from './use-set-search.ts'
import { counted } from './words.ts'
import styles from './filter-bar.module.css'

export type Counts = NonNullable<Calls['list_decisions']['output']['counts']>

interface Props {
  readonly search: DecisionSearch
  readonly counts: Counts | undefined
  readonly total: number | undefined
}

/** The number of decisions, the status filter, and a button for the other filters. */
export const FilterBar = ({ search, counts, total }: Props) => {
  const set = useSetSearch()
  const [isOpen, setOpen] = useState(MORE.some((name) => search[name] !== undefined))
  const of = (status: string): number => counts?.status[status] ?? 0
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <span className={styles.total} role="status">
          {search.q === undefined && total !== undefined ? counted(total, 'decision') : ''}
        </span>
        <Select<ShownStatus>
          label="Status"
          hideLabel
          value={search.status ?? 'active'}
          options={[
            { value: 'active', label: 'Active', aside: of('active').toLocaleString('en') },
            { value: 'superseded', label: 'Superseded', aside: of('superseded').toLocaleString('en') },
            { value: 'all', label: 'All', aside: (of('active') + of('superseded')).toLocaleString('en') },
          ]}
          onChange={(status) => set({ status: status === 'active' ? undefined : status })}
        />
        <Button look="quiet" size="small" icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
      </div>
      {isOpen && <FilterPanel search={search} counts={counts} set={set} />}
      {isFiltered(search) && (
        <Button look="quiet" size="small" icon="close" onClick={() => set(NOTHING)}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

const MORE = FILTERS.filter((name) => name !== 'status')
const NOTHING = Object.fromEntries(FILTERS.map((name) => [name, undefined]))

export type SetFilters = ReturnType<typeof useSetSearch>
