import { useQueries } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { queryKey, useProject } from '../../../api/queries.ts'

const RANGE = 200

/** The visible lines, 0-based, loaded in ranges and cached; undefined while they load. */
export function useLines(id: string, first: number, last: number): (index: number) => string | undefined {
  const project = useProject()
  const from = Math.floor(first / RANGE)
  const answers = useQueries({
    queries: Array.from({ length: Math.floor(last / RANGE) - from + 1 }, (_, at) => {
      const input = { id, from_line: (from + at) * RANGE + 1, max_lines: RANGE, workspace: 'all' }
      return {
        queryKey: queryKey(project, 'memory_get', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(project, 'memory_get', input, signal),
        staleTime: 60_000,
      }
    }),
  })
  const ranges = answers.map(({ data }) => data?.text.split('\n'))
  return (index) => ranges[Math.floor(index / RANGE) - from]?.[index % RANGE]
}
