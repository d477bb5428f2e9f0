import { useId } from 'react'
import type { Calls } from '../../api/call.ts'
import { StripHead } from './strip-head.tsx'
import { StripLine } from './strip-line.tsx'
import type { CaseRow, StripRow } from './strip-rows.ts'
import { useStrip } from './use-strip.ts'
import styles from './strip.module.css'

export type RunRow = Calls['test_runs']['output']['runs'][number]

interface Props {
  readonly rows: readonly StripRow[]
  /** Runs, oldest first. */
  readonly runs: readonly RunRow[]
  readonly checked: ReadonlySet<string>
  readonly onOpen: (row: CaseRow, column: number) => void
  readonly onOpenRun: (run: RunRow) => void
  readonly onCheck: (row: CaseRow) => void
}

/** One row for each case, one column for each run. Only visible cells are rendered, in both directions. */
export const Strip = ({ rows, runs, checked, onOpen, onOpenRun, onCheck }: Props) => {
  const id = useId()
  const strip = useStrip({ rows, columns: runs.length, onOpen, onCheck })
  const { scroller, names, down, across, active, setPlace, onKeyDown, height } = strip
  const columns = across.getVirtualItems()
  const isShown = (row: number, column: number): boolean =>
    down.getVirtualItems().some((one) => one.index === row) &&
    (runs.length === 0 || columns.some((one) => one.index === column))
  return (
    <div
      ref={scroller}
      className={styles.strip}
      role="grid"
      tabIndex={0}
      aria-label="Cases and runs"
      aria-rowcount={rows.length + 1}
      aria-colcount={runs.length + 1}
      aria-multiselectable
      aria-activedescendant={
        active && isShown(active.row, active.column) ? `${id}-${active.row}-${active.column}` : undefined
      }
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        className={styles.whole}
        style={{ blockSize: down.getTotalSize(), inlineSize: across.getTotalSize(), '--names': `${names}px` }}
      >
        <StripHead runs={runs} columns={columns} onOpenRun={onOpenRun} />
        {down.getVirtualItems().map(({ index, key, start }) => (
          <StripLine
            key={key}
            id={id}
            at={index}
            row={rows[index]!}
            runs={runs}
            columns={columns}
            place={{ start, height }}
            active={active?.row === index ? active.column : undefined}
            isChecked={checked.has(rows[index]!.kind === 'case' ? (rows[index] as CaseRow).id : '')}
            onPress={(row, column) => {
              setPlace({ row: index, column })
              onOpen(row, column)
            }}
            onCheck={onCheck}
          />
        ))}
      </div>
    </div>
  )
}
