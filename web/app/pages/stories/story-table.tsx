import type { LaidTable } from '../../../../src/analyst/domain/story/story-blocks.ts'
import { classNames } from '../../kit/class-names.ts'
import { DataGrid } from '../../kit/data/data-grid.tsx'
import css from './story.module.css'

// Readers scroll past more rows than this instead of reading them; the printed version has all rows.
const MOST_READ = 60

/** The rows of a query in a story: a table if they are few, a scrolling grid if they are many. */
export function StoryTable({ table }: { readonly table: LaidTable }) {
  const isLong = table.rows.length > MOST_READ
  const label = table.title === '' ? 'Table' : table.title
  return (
    <figure className={css.part}>
      {table.title !== '' && <figcaption className={css.caption}>{table.title}</figcaption>}
      {isLong && (
        <div className={css.gridTable}>
          <DataGrid label={label} columns={table.columns} rows={table.rows} />
        </div>
      )}
      <div
        className={classNames(css.tableRoom, isLong && css.onPaper)}
        tabIndex={isLong ? undefined : 0}
        role="group"
        aria-label={label}
      >
        <PlainTable table={table} />
      </div>
      {table.note !== '' && <p className={css.note}>{table.note}</p>}
    </figure>
  )
}

const PlainTable = ({ table: { columns, rows } }: { readonly table: LaidTable }) => (
  <table className={css.table}>
    <thead>
      <tr>
        {columns.map(({ name, isNumber }, at) => (
          <th key={at} scope="col" className={isNumber ? css.number : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, y) => (
        <tr key={y}>
          {row.map((cell, at) => (
            <td key={at} className={columns[at]?.isNumber === true ? css.number : undefined}>
              {cell === null ? <span className={css.null}>null</span> : cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
