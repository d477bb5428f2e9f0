import { useAnswer } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { DecisionRowView } from './decision-row.tsx'
import { keyOf, ROW, useOpenDecision } from './list-view.tsx'
import { filterInput, type DecisionSearch } from './search.ts'
import type { Found } from './use-check.ts'
import { usePick } from './use-pick.ts'
import { counted } from './words.ts'
import styles from './found-list.module.css'

const MOST = 100

/** Search results by words and meaning, best first, instead of the whole list. */
export const FoundList = ({
  search,
  query,
  open,
}: {
  search: DecisionSearch
  query: string
  open: number | undefined
}) => {
  const { data, error, refetch } = useAnswer(
    'search_decisions',
    { query, limit: MOST, ...filterInput(search) },
    { keep: true },
  )
  const openRow = useOpenDecision(search)
  const { checked, toggle } = usePick(search)
  if (error !== null) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={8} label="Searching" />
  return (
    <>
      <p className={styles.count} role="status">
        {data.results.length === 0
          ? `No decisions match “${query}”. ${counted(data.total, 'decision')} searched.`
          : `${data.results.length === MOST ? `The best ${MOST}` : counted(data.results.length, 'match', 'matches')} for “${query}”`}
      </p>
      <VirtualList<Found>
        label="Matching decisions"
        items={data.results}
        keyOf={keyOf}
        rowHeight={ROW}
        open={open === undefined ? undefined : String(open)}
        onOpen={(row) => openRow(row.number)}
        checked={checked}
        onCheck={(row) => toggle(row.number)}
        isMain
      >
        {(row) => <DecisionRowView row={row} words={[query]} />}
      </VirtualList>
    </>
  )
}
