import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { ResultCard } from '../../kit/data/result-card.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { useKeptRows } from './use-kept-rows.ts'

/** A cell that a number in the answer links to. */
export interface MarkedCell {
  readonly query: string
  readonly column: string
  /** 0-based. */
  readonly row: number
  /** When the number was clicked, so that the same cell can be shown again. */
  readonly at: number
}

interface Props {
  readonly chat: string
  readonly query: string
  /** Display name. */
  readonly name: string
  readonly marked: MarkedCell | undefined
}

/** A query of an answer with its original rows; it can be run again on current data. */
export const QueryCard = ({ chat, query, name, marked }: Props) => {
  const kept = useKeptRows(chat, query)
  const again = useRunAgain()
  const pages = kept.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap((page) => page.rows), [pages])
  const first = pages?.[0]
  if (kept.isPending) return <Skeleton rows={4} label={`Rows of ${name}`} />
  if (kept.isError || first === undefined) return <FaultNote fault={kept.error} again={() => void kept.refetch()} />
  const { sql, database } = first
  const rerun = () => again.mutate({ sql, database, limit: 1_000 })
  const shared = { name, sql, database, queryId: query, onRerun: rerun, isRunning: again.isPending }
  const place = marked?.query === query ? { row: marked.row, column: marked.column } : undefined
  return (
    <>
      {again.data === undefined ? (
        <ResultCard
          {...shared}
          columns={first.columns}
          rows={rows}
          rowCount={first.kept}
          isCut={first.cut || first.row_count > first.kept}
          onNeed={() => void (kept.hasNextPage && !kept.isFetching && kept.fetchNextPage())}
          marked={place}
        />
      ) : (
        <ResultCard
          {...shared}
          queryId={again.data.query_id}
          columns={again.data.columns}
          rows={again.data.rows}
          isCut={again.data.cut || again.data.shown === 'part'}
          notes={['Run again on current data. The answer is based on the earlier rows.', ...again.data.notes]}
        />
      )}
      {again.isError && <FaultNote fault={again.error} again={rerun} />}
    </>
  )
}

function useRunAgain() {
  const project = useProject()
  return useMutation<Calls['execute_sql']['output'], Fault, Calls['execute_sql']['input']>({
    async mutationFn(input) {
      const answer = await call(project, 'execute_sql', input)
      if (answer.refused === undefined) return answer
      throw new Fault(answer.refused.code, answer.refused.reason, { hint: answer.refused.hint, status: 200 })
    },
  })
}
