import type { VirtualItem } from '@tanstack/react-virtual'
import { classNames } from '../../kit/class-names.ts'
import { Icon } from '../../kit/icon.tsx'
import { COLUMN } from './names-width.ts'
import { SHAPES } from './outcome-mark.tsx'
import { runTitle } from './run-words.ts'
import type { CaseRow, StripRow } from './strip-rows.ts'
import type { RunRow } from './strip.tsx'
import marks from './outcome-mark.module.css'
import styles from './strip.module.css'

interface Props {
  readonly id: string
  readonly at: number
  readonly row: StripRow
  readonly runs: readonly RunRow[]
  readonly columns: readonly VirtualItem[]
  readonly place: { readonly start: number; readonly height: number }
  /** The active column in this row. */
  readonly active: number | undefined
  readonly isChecked: boolean
  readonly onPress: (row: CaseRow, column: number) => void
  readonly onCheck: (row: CaseRow) => void
}

export const StripLine = ({ row, at, place, ...rest }: Props) => {
  const style = { transform: `translateY(${place.start}px)`, blockSize: place.height }
  if (row.kind === 'suite')
    return (
      <div role="row" aria-rowindex={at + 2} className={styles.suite} style={style}>
        <span role="rowheader" aria-colindex={1} className={styles.file}>
          <Icon name="file" size={14} />
          {row.file}
          <span className={styles.count}>{row.cases}</span>
        </span>
      </div>
    )
  return <CaseLine {...rest} row={row} at={at} style={style} />
}

const CaseLine = ({
  id,
  at,
  row,
  runs,
  columns,
  active,
  isChecked,
  onPress,
  onCheck,
  style,
}: Omit<Props, 'row' | 'place'> & { row: CaseRow; style: React.CSSProperties }) => {
  const latest = row.outcomes.findLastIndex((outcome) => outcome !== 'not run')
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isChecked}
      className={classNames(styles.line, active !== undefined && styles.active, isChecked && styles.checked)}
      style={style}
    >
      <span
        role="rowheader"
        aria-colindex={1}
        id={runs.length === 0 && active !== undefined ? `${id}-${at}-0` : undefined}
        className={classNames(styles.name, row.isGone && styles.gone)}
        onClick={() => (latest < 0 ? onCheck(row) : onPress(row, latest))}
        title={row.isGone ? `${row.name}: no longer in any file` : `${row.name}: open with Enter, select with x`}
      >
        <span
          aria-hidden="true"
          data-tick
          className={styles.tick}
          onClick={(event) => {
            event.stopPropagation()
            onCheck(row)
          }}
        >
          {isChecked && <Icon name="check" size={14} />}
        </span>
        <span className={styles.words}>{row.name}</span>
        <span className={styles.about}>{row.model ?? row.about}</span>
      </span>
      {columns.map(({ index, start }) => {
        const outcome = row.outcomes[index]!
        return (
          <span
            key={index}
            id={`${id}-${at}-${index}`}
            role="gridcell"
            aria-colindex={index + 2}
            aria-label={`${outcome}, ${runTitle(runs[index]!)}`}
            className={classNames(styles.cell, marks[outcome.replace(' ', '-')], active === index && styles.here)}
            style={{ insetInlineStart: start, inlineSize: COLUMN }}
            onClick={() => outcome !== 'not run' && onPress(row, index)}
          >
            {SHAPES[outcome]}
          </span>
        )
      })}
    </div>
  )
}
