import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Split } from '../../kit/split.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { DecisionPane } from './decision-pane.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useOpenDecision } from './list-view.tsx'
import { PickedBar } from './picked-bar.tsx'
import type { DecisionSearch } from './search.ts'
import { TimelineLine, type Line } from './timeline-line.tsx'
import { timelineRows, type TimelineRows } from './timeline-rows.ts'
import { useDecisionList, type DecisionRow } from './use-decision-list.ts'
import { usePick } from './use-pick.ts'
import styles from './list-view.module.css'

interface Props {
  readonly search: DecisionSearch
  readonly open: number | undefined
  readonly asked: string | undefined
}

const ROW = 48

/** The decisions by date, under their months. */
export const TimelineView = ({ search, open, asked }: Props) => {
  const list = useDecisionList(search, { order: 'date', open })
  const project = useProject()
  const navigate = useNavigate()
  const months = list.head?.counts?.months
  const rows = useMemo(() => timelineRows(months ?? []), [months])
  const lines = useMemo(() => linesOf(rows, list.rows), [rows, list.rows])
  const openRow = useOpenDecision(search)
  const { checked, toggle } = usePick(search)
  return (
    <Split
      name="timeline"
      listLabel="Timeline"
      list={
        <div className={styles.side}>
          <FilterBar search={search} counts={list.head?.counts} total={list.head?.total} />
          {list.fault !== null && <FaultNote fault={list.fault} again={list.again} />}
          {list.head === undefined && <Skeleton rows={10} label="Loading decisions" />}
          {list.head?.total === 0 && <p className={styles.none}>No decisions match these filters.</p>}
          {lines.length > 0 && (
            <VirtualList<Line>
              label="Decisions by day"
              items={lines}
              total={rows.length}
              keyOf={lineKey}
              rowHeight={ROW}
              open={open === undefined ? undefined : String(open)}
              onOpen={(line) => line.kind === 'decision' && openRow(line.row.number)}
              checked={checked}
              onCheck={(line) => line.kind === 'decision' && toggle(line.row.number)}
              onMissing={(first, last) => list.want(placeOf(rows, first), placeOf(rows, last))}
              isMain
            >
              {(line) => <TimelineLine line={line} />}
            </VirtualList>
          )}
          <PickedBar search={search} />
        </div>
      }
      detail={asked === undefined ? undefined : <DecisionPane search={search} number={open} asked={asked} />}
      onBack={() => void navigate({ to: '/$project/decisions', params: { project }, search })}
    />
  )
}

const lineKey = (line: Line): string => (line.kind === 'month' ? line.month : String(line.row.number))

/** Lines of the timeline. Rows that are not loaded are missing; months are known from the start. */
function linesOf(rows: TimelineRows, decisions: readonly (DecisionRow | undefined)[]): Line[] {
  const lines: Line[] = []
  lines.length = rows.length
  for (let at = 0; at < rows.length; at++) {
    const line = rows.at(at)
    if (line.kind === 'month') lines[at] = line
    else {
      const row = decisions[line.at]
      if (row !== undefined) lines[at] = { kind: 'decision', row }
    }
  }
  return lines
}

/** Index in the list of decisions for a line; for a heading, that of the next decision below it. */
function placeOf(rows: TimelineRows, line: number): number {
  const inside = Math.max(0, Math.min(line, rows.length - 1))
  const found = rows.at(inside)
  if (found.kind === 'decision') return found.at
  const below = rows.at(Math.min(inside + 1, rows.length - 1))
  return below.kind === 'decision' ? below.at : 0
}
