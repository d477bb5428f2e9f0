import { classNames } from '../../kit/class-names.ts'
import { Icon } from '../../kit/icon.tsx'
import type { DecisionSearch } from './search.ts'
import type { Column } from './table-columns.ts'
import { useSetSearch } from './use-set-search.ts'
import styles from './decision-table.module.css'

/** Column names above the list. Each sorts the list; a second press reverses the order. */
export const SortHead = ({ search, columns }: { search: DecisionSearch; columns: readonly Column[] }) => {
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
      {columns.map((column) => {
        const isCurrent = column === current
        return (
          <button
            key={column}
            type="button"
            className={styles[CELLS[column]]}
            aria-pressed={isCurrent}
            onClick={() => sort(column)}
          >
            {NAMES[column]}
            {isCurrent && <Icon name={search.reverse === true ? 'arrow-up' : 'arrow-down'} size={12} />}
            {isCurrent && <span className="visually-hidden">{search.reverse === true ? ', reversed' : ''}</span>}
          </button>
        )
      })}
    </div>
  )
}

const NAMES: Readonly<Record<Column, string>> = {
  number: 'Number',
  title: 'Decision',
  type: 'Type',
  files: 'Files',
  confidence: 'Confidence',
  date: 'Decided',
}

const CELLS = {
  number: 'number',
  title: 'words',
  type: 'type',
  files: 'files',
  confidence: 'confidence',
  date: 'date',
} as const
