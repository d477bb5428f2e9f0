import { useMemo } from 'react'
import { classNames } from '../../kit/class-names.ts'
import { cellText, differenceTable, type Cell, type Difference, type DifferenceRow } from './difference-rows.ts'
import styles from './difference-view.module.css'

/** The expected table next to the actual one; only differing cells are marked. */
export const DifferenceView = ({ difference }: { difference: Difference }) => {
  const table = useMemo(() => differenceTable(difference), [difference])
  const { columns, lost, rows, more } = table
  const notes = [
    lost.length > 0 ? `Missing from the answer: ${lost.join(', ')}.` : '',
    more.rows > 0 ? `${more.rows} more cells differ.` : '',
    more.missing > 0 ? `${more.missing} more rows are missing.` : '',
    more.extra > 0 ? `${more.extra} more extra rows.` : '',
  ].filter(Boolean)
  return (
    <div className={styles.difference}>
      {rows.length > 0 && columns.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Expected and found">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col" rowSpan={2} className={styles.number}>
                  Row
                </th>
                <th scope="colgroup" colSpan={columns.length}>
                  Expected
                </th>
                <th scope="colgroup" colSpan={columns.length} className={styles.second}>
                  Found
                </th>
              </tr>
              <tr>
                {columns.map(({ expected }, at) => (
                  <th key={at} scope="col">
                    {expected}
                  </th>
                ))}
                {columns.map(({ found }, at) => (
                  <th key={at} scope="col" className={at === 0 ? styles.second : undefined}>
                    {found}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <Line key={at} row={row} columns={columns.length} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  )
}

const Line = ({ row, columns }: { row: DifferenceRow; columns: number }) => (
  <tr>
    <td className={styles.number}>{row.row ?? ''}</td>
    <Side cells={row.expected} row={row} columns={columns} nothing="row not expected" mark={styles.expected} />
    <Side cells={row.found} row={row} columns={columns} nothing="missing" mark={styles.found} isSecond />
  </tr>
)

interface SideProps {
  readonly cells: readonly Cell[] | undefined
  readonly row: DifferenceRow
  readonly columns: number
  readonly nothing: string
  readonly mark: string | undefined
  readonly isSecond?: boolean
}

const Side = ({ cells, row, columns, nothing, mark, isSecond = false }: SideProps) =>
  cells === undefined ? (
    <td colSpan={columns} className={classNames(styles.nothing, isSecond && styles.second)}>
      {nothing}
    </td>
  ) : (
    Array.from({ length: columns }, (_, at) => {
      const { text, isNothing } = cellText(cells[at])
      const isMarked = row.differs.has(at)
      return (
        <td
          key={at}
          className={classNames(
            typeof cells[at] === 'number' && styles.right,
            isMarked && mark,
            isNothing && styles.nothing,
            isSecond && at === 0 && styles.second,
          )}
        >
          {isMarked && <span className="visually-hidden">differs: </span>}
          {text}
        </td>
      )
    })
  )
