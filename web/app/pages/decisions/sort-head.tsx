import { classNames } from '../../kit/class-names.ts'
import { Icon } from '../../kit/icon.tsx'
import type { DecisionSearch, SortColumn } from './search.ts'
import { useSetSearch } from './use-set-search.ts'
import styles from './decision-table.module.css'

/** Column names above the list. Each sorts the list; a second press reverses the order. */
export const SortHead = ({ search }: { search: DecisionSearch }) => {
  const set = useSetSearch()
  const current = search.sort ?? 'number'
  const sort = (column: Column): void =>
    set(
      {
        sort: column === 'number' ? undefined : column,
        reverse: column === current && search.reverse !== true ? true : undefined,
      },
      { replace: true },
    )
  return (
    <div className={classNames(styles.row, styles.head)} role="group" aria-label="Sort by">
      {COLUMNS.map(({ column, name }) => {
        const isCurrent = column === current
        return (
          <button
            key={column}
            type="button"
            className={styles[CELLS[column]]}
            aria-pressed={isCurrent}
            onClick={() => sort(column)}
          >
            {name}
            {isCurrent && <Icon name={search.reverse === true ? 'arrow-up' : 'arrow-down'} size={12} />}
            {isCurrent && <span className="visually-hidden">{search.reverse === true ? ', reversed' : ''}</span>}
          </button>
        )
      })}
    </div>
  )
}

type Column = SortColumn | 'number'

const COLUMNS: readonly { readonly column: Column; readonly name: string }[] = [
  { column: 'number', name: 'Number' },
  { column: 'title', name: 'Decision' },
  { column: 'type', name: 'Type' },
  { column: 'files', name: 'Files' },
  { column: 'confidence', name: 'Confidence' },
  { column: 'date', name: 'Decided' },
]

const CELLS = {
  number: 'number',
  title: 'words',
  type: 'type',
  files: 'files',
  confidence: 'confidence',
  date: 'date',
} as const
