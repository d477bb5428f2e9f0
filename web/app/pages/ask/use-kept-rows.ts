import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ChartData } from '../../../../src/analyst/domain/chart/chart.ts'
import { call, type Calls } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'

const PAGE = 500
const ALL = 5_000
// The rows of a query do not change; they are released a while after their last use.
const FOR_GOOD = { staleTime: Infinity, gcTime: 60_000 } as const

type Page = Calls['chat_result']['output']

/** The stored rows of a query of this chat, page by page. */
export function useKeptRows(chat: string, query: string) {
  const project = useProject()
  return useInfiniteQuery<Page, Fault, { pages: Page[] }, readonly unknown[], number>({
    queryKey: ['kept', project, chat, query],
    queryFn: ({ pageParam, signal }) =>
      call(project, 'chat_result', { chat, query_id: query, offset: pageParam, limit: PAGE }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ offset, rows, kept }) => (offset + rows.length < kept ? offset + rows.length : undefined),
    ...FOR_GOOD,
  })
}

/** All stored rows of a query, for a chart. */
export function useChartRows(chat: string, query: string) {
  const project = useProject()
  return useQuery<ChartData, Fault>({
    queryKey: ['kept', project, chat, query, 'all'],
    queryFn: ({ signal }) => call(project, 'chat_result', { chat, query_id: query, limit: ALL }, signal),
    ...FOR_GOOD,
  })
}
