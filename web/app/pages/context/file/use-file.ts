import { useInfiniteQuery } from '@tanstack/react-query'
import { call, type Calls } from '../../../api/call.ts'
import type { Fault } from '../../../api/fault.ts'
import { queryKey, useProject } from '../../../api/queries.ts'

type Part = Calls['read_file']['output']

export interface OpenFile {
  /** The lines that were read so far. */
  readonly text: string
  readonly lines: number
  readonly read: number
  readonly stale: string | undefined
  readonly isLoading: boolean
  readonly fault: Fault | null
  readonly more: (() => void) | undefined
}

/** A file of the context, loaded by line ranges. */
export function useFile(path: string): OpenFile {
  const project = useProject()
  const query = useInfiniteQuery<Part, Fault, { pages: Part[] }, readonly unknown[], number>({
    queryKey: [...queryKey(project, 'read_file', { path }), 'parts'],
    queryFn: ({ pageParam, signal }) => call(project, 'read_file', { path, from: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ to, lines }) => (to < lines ? to + 1 : undefined),
  })
  const parts = query.data?.pages ?? []
  const last = parts.at(-1)
  return {
    text: parts.map(({ text }) => text).join('\n'),
    lines: last?.lines ?? 0,
    read: last?.to ?? 0,
    stale: parts[0]?.stale,
    isLoading: query.isPending || query.isFetchingNextPage,
    fault: query.error,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  }
}
