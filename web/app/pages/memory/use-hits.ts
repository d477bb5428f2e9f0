import { useInfiniteQuery, keepPreviousData } from '@tanstack/react-query'
import { call, type Calls } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { queryKey, useProject } from '../../api/queries.ts'
import { askedFor, type MemorySearch } from './memory-address.ts'

export type Page = Calls['memory_browse']['output']
export type Hit = Page['results'][number]

const PAGE = 40

/** The hits of a search, page by page. A new search cancels the pending one. */
export function useHits(search: MemorySearch) {
  const project = useProject()
  const asked = askedFor(search)
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
