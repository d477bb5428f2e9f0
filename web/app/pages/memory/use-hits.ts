import { useInfiniteQuery, keepPreviousData } from '@tanstack/react-query'
import { call, type Calls } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { queryKey, useAnswer, useProject } from '../../api/queries.ts'
import { askedFor, isNarrowed, type MemorySearch } from './memory-address.ts'

export type Page = Calls['memory_browse']['output']
export type Hit = Page['results'][number]

const PAGE = 40

/** The hits of a search, page by page. A new search cancels the pending one. */
export function useHits(search: MemorySearch) {
  const project = useProject()
  const isDiary = useIsDiary(search)
  const asked = { ...askedFor(search), ...(isDiary && { origin: ['session' as const] }) }
  return useInfiniteQuery<Page, Fault, { pages: Page[] }, readonly unknown[], number>({
    queryKey: queryKey(project, 'memory_browse', asked),
    queryFn: ({ signal, pageParam }) =>
      call(project, 'memory_browse', { ...asked, limit: PAGE, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_offset,
    // Keeps the previous hits until the next arrive: a flickering list cannot be read.
    placeholderData: keepPreviousData,
  })
}

/** Without a query and filters the memory is a diary of sessions, unless there are none. */
export function useIsDiary(search: MemorySearch): boolean {
  const { data } = useAnswer('overview', {})
  return (search.q ?? '').trim() === '' && !isNarrowed(search) && (data?.sessions ?? 1) > 0
}
