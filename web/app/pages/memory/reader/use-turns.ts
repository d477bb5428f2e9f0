import { useQueries } from '@tanstack/react-query'
import { call, type Calls } from '../../../api/call.ts'
import { queryKey, useProject } from '../../../api/queries.ts'

export type Session = Calls['session_show']['output']
export type Turn = Session['turns'][number]

const RANGE = 20

/** The visible turns, 0-based, loaded in ranges and cached; undefined while they load. */
export function useTurns(id: string, first: number, last: number): (index: number) => Turn | undefined {
  const project = useProject()
  const ranges = rangesOver(first, last)
  const answers = useQueries({
    queries: ranges.map((range) => {
      const input = { id, from: range * RANGE + 1, count: RANGE, workspace: 'all' }
      return {
        queryKey: queryKey(project, 'session_show', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(project, 'session_show', input, signal),
        staleTime: 60_000,
      }
    }),
  })
  const known = new Map<number, Turn>()
  for (const { data } of answers) for (const turn of data?.turns ?? []) known.set(turn.number - 1, turn)
  return (index) => known.get(index)
}

/** Indexes of the ranges that cover the turns from `first` to `last`. */
export const rangesOver = (first: number, last: number): number[] =>
  last < first
    ? []
    : Array.from(
        { length: Math.floor(last / RANGE) - Math.floor(first / RANGE) + 1 },
        (_, at) => Math.floor(first / RANGE) + at,
      )
