import type { Calls } from '../../api/call.ts'
import type { SortColumn } from './search.ts'

export type Column = SortColumn | 'number'

type Counts = Pick<NonNullable<Calls['list_decisions']['output']['counts']>, 'type' | 'with_files'>

/** Columns of the table. A fact that no listed decision has, such as the type after an import, has no column. */
export const tableColumns = (counts: Counts | undefined): readonly Column[] =>
  ALL.filter(
    (column) =>
      counts === undefined ||
      (column === 'type'
        ? Object.keys(counts.type).some((type) => type !== 'untyped')
        : column !== 'files' || counts.with_files > 0),
  )

const ALL = ['number', 'title', 'type', 'files', 'confidence', 'date'] as const satisfies readonly Column[]

/** Widths of the columns, for `grid-template-columns` while there is room for all. */
export const columnWidths = (columns: readonly Column[]): string => columns.map((column) => WIDTHS[column]).join(' ')

const WIDTHS: Readonly<Record<Column, string>> = {
  number: '56px',
  title: 'minmax(0, 1fr)',
  type: '96px',
  files: 'minmax(0, 160px)',
  confidence: '84px',
  date: '96px',
}
