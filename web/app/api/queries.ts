import { keepPreviousData, useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call, type Calls, type OperationName } from './call.ts'
import type { Fault } from './fault.ts'
import { HERE } from './place.ts'
import { isOffered } from './server.ts'

/** The project in the URL. */
export const useProject = (): string => useParams({ strict: false }).project ?? HERE

export const queryKey = (project: string, name: OperationName, input: unknown): readonly unknown[] => [
  project,
  name,
  input,
]

/**
 * Cached result of an operation, refetched after changes. The operation is not called if the server does not offer it.
 */
export function useAnswer<N extends OperationName>(
  name: N,
  input: Calls[N]['input'],
  {
    enabled = true,
    keep = false,
    every,
  }: { enabled?: boolean; keep?: boolean; every?: number | ((known: Calls[N]['output'] | undefined) => number) } = {},
): UseQueryResult<Calls[N]['output'], Fault> {
  const project = useProject()
  return useQuery<Calls[N]['output'], Fault>({
    queryKey: queryKey(project, name, input),
    queryFn: ({ signal }) => call(project, name, input, signal),
    enabled: enabled && isOffered(name),
    ...(keep && { placeholderData: keepPreviousData }),
    ...(every !== undefined && {
      refetchInterval: typeof every === 'number' ? every : ({ state }) => every(state.data),
    }),
  })
}

/** Calls a mutation, then refetches everything shown of the project. */
export function useAct<N extends OperationName>(name: N) {
  const project = useProject()
  const client = useQueryClient()
  return useMutation<Calls[N]['output'], Fault, Calls[N]['input']>({
    mutationFn: (input) => call(project, name, input),
    onSuccess: () => client.invalidateQueries({ queryKey: [project] }),
  })
}
