import type { VirtualItem } from '@tanstack/react-virtual'
import { useMemo } from 'react'
import { classNames } from '../../kit/class-names.ts'
import { COLUMN } from './names-width.ts'
import { runTitle } from './run-words.ts'
import type { RunRow } from './strip.tsx'
import { HEAD } from './use-strip.ts'
import styles from './strip.module.css'

interface Props {
  readonly runs: readonly RunRow[]
  readonly columns: readonly VirtualItem[]
  readonly onOpenRun: (run: RunRow) => void
}

/** The runs over time: a bar for the share that passed, and a label for each new day. */
export const StripHead = ({ runs, columns, onOpenRun }: Props) => {
  const labelled = useMemo(() => labelledRuns(runs), [runs])
  return (
    <div role="row" aria-rowindex={1} className={styles.head} style={{ blockSize: HEAD }}>
      <span role="columnheader" aria-colindex={1} className={styles.corner}>
        Passed, run by run
      </span>
      {columns.map(({ index, start }) => (
        <RunHead
          key={index}
          at={index}
          start={start}
          run={runs[index]!}
          isLabelled={labelled.has(index)}
          onOpenRun={onOpenRun}
        />
      ))}
    </div>
  )
}

const RunHead = ({
  at,
  start,
  run,
  isLabelled,
  onOpenRun,
}: {
  at: number
  start: number
  run: RunRow
  isLabelled: boolean
  onOpenRun: (run: RunRow) => void
}) => {
  const rate = run.total.pass_rate
  return (
    <span
      role="columnheader"
      aria-colindex={at + 2}
      className={styles.run}
      style={{ insetInlineStart: start, inlineSize: COLUMN }}
    >
      {isLabelled && (
        <span className={styles.day} aria-hidden="true">
          {dayOf(run)}
        </span>
      )}
      <button type="button" tabIndex={-1} className={styles.bar} title={runTitle(run)} onClick={() => onOpenRun(run)}>
        <span className="visually-hidden">{runTitle(run)}</span>
        <span
          aria-hidden="true"
          className={classNames(styles.level, run.end !== 'complete' && styles.cut)}
          style={rate === null ? {} : { '--passed': `${Math.round(rate * 100)}%` }}
        />
      </button>
    </span>
  )
}

const dayOf = ({ started_at }: Pick<RunRow, 'started_at'>): string =>
  new Date(started_at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })

/**
 * Runs with a label: the first of each day, unless the previous label is too near, because labels are wider than a
 * column.
 */
function labelledRuns(runs: readonly Pick<RunRow, 'started_at'>[]): ReadonlySet<number> {
  const labelled = new Set<number>()
  let last = -APART
  for (const [at, run] of runs.entries()) {
    const begins = at === 0 || dayOf(run) !== dayOf(runs[at - 1]!)
    if (!begins || at - last < APART) continue
    labelled.add(at)
    last = at
  }
  return labelled
}

const APART = 3
