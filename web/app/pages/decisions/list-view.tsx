import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Split } from '../../kit/split.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { DecisionPane } from './decision-pane.tsx'
import { DecisionRowView } from './decision-row.tsx'
import { DecisionTableRow } from './decision-table-row.tsx'
import { EmptyRecord } from './empty-record.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FoundList } from './found-list.tsx'
import { PickedBar } from './picked-bar.tsx'
import { isFiltered, type DecisionSearch } from './search.ts'
import { SortHead } from './sort-head.tsx'
import { columnWidths, tableColumns } from './table-columns.ts'
import { useDecisionList, type DecisionList, type DecisionRow } from './use-decision-list.ts'
import { usePick } from './use-pick.ts'
import styles from './list-view.module.css'

interface Props {
  readonly search: DecisionSearch
  readonly open: number | undefined
  /** The id in the URL, if it is not a number. */
  readonly asked: string | undefined
}

/** The decisions as a list, and the open one beside it. */
export const ListView = ({ search, open, asked }: Props) => {
  const list = useDecisionList(search, { open })
  const toList = useToList(search)
  const isEmpty = list.head?.total === 0 && !isFiltered(search) && search.q === undefined && search.asOf === undefined
  useKeys([{ keys: 'escape', does: 'Back to the list', group: 'Decisions', run: toList }], {
    enabled: asked !== undefined,
  })
  if (isEmpty && asked === undefined && Object.keys(list.head?.counts?.status ?? {}).length === 0)
    return <EmptyRecord />
  return (
    <Split
      name="decisions"
      listLabel="Decisions"
      list={
        <div className={styles.side}>
          <FilterBar search={search} counts={list.head?.counts} total={list.head?.total} />
          {search.q === undefined ? (
            <WholeList search={search} list={list} open={open} isTable={asked === undefined} />
          ) : (
            <FoundList search={search} query={search.q} open={open} />
          )}
          <PickedBar search={search} />
        </div>
      }
      detail={asked === undefined ? undefined : <DecisionPane search={search} number={open} asked={asked} />}
      onBack={toList}
    />
  )
}

interface WholeListProps extends Pick<Props, 'search' | 'open'> {
  readonly list: DecisionList
  /** Rows with columns, if the list has the whole width. */
  readonly isTable: boolean
}

const WholeList = ({ search, list, open, isTable }: WholeListProps) => {
  const openRow = useOpenDecision(search)
  const { checked, toggle } = usePick(search)
  if (list.fault !== null) return <FaultNote fault={list.fault} again={list.again} />
  if (list.head === undefined) return <Skeleton rows={10} label="Loading decisions" />
  if (list.head.total === 0) return <p className={styles.none}>No decisions match these filters.</p>
  const columns = tableColumns(list.head.counts)
  return (
    <div className={styles.whole} style={{ '--columns': columnWidths(columns) }}>
      {isTable && <SortHead search={search} columns={columns} />}
      <VirtualList<DecisionRow>
        label="Decisions"
        items={list.rows}
        total={list.head.total}
        keyOf={keyOf}
        rowHeight={ROW}
        open={open === undefined ? undefined : String(open)}
        onOpen={(row) => openRow(row.number)}
        checked={checked}
        onCheck={(row) => toggle(row.number)}
        onMissing={list.want}
        isMain
      >
        {(row) => (isTable ? <DecisionTableRow row={row} columns={columns} /> : <DecisionRowView row={row} />)}
      </VirtualList>
    </div>
  )
}

/** Pixels: two lines of text and spacing. */
export const ROW = 56

export const keyOf = ({ number }: { number: number }): string => String(number)

/** Opens a decision and keeps the filters and the as-of date. */
export function useOpenDecision(search: DecisionSearch): (number: number) => void {
  const project = useProject()
  const navigate = useNavigate()
  return (number) => void navigate({ to: '/$project/decisions/$id', params: { project, id: String(number) }, search })
}

function useToList(search: DecisionSearch): () => void {
  const project = useProject()
  const navigate = useNavigate()
  return () => void navigate({ to: '/$project/decisions', params: { project }, search })
}
