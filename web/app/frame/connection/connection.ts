import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '../../api/fault.ts'
import { Store } from '../../kit/store.ts'

/** `away`: Ken does not respond. `no-session`: Ken responds, but rejects this page. */
export type Connection = 'there' | 'away' | 'no-session'

export const connection = new Store<Connection>('there')

/** Connection state implied by a failed call; undefined if Ken responded. */
export function connectionOf(fault: unknown): Connection | undefined {
  if (!(fault instanceof Fault)) return undefined
  if (fault.status === 0) return 'away'
  return fault.status === 401 ? 'no-session' : undefined
}

/** Updates the connection state from every call. */
export function watchConnection(client: QueryClient): () => void {
  const learn = (fault: unknown): void => {
    const told = connectionOf(fault)
    if (told !== undefined) connection.set(told)
  }
  const queries = client.getQueryCache().subscribe((event) => {
    // Only new failures: a query keeps its last fault while it is shown.
    if (event.type === 'updated' && event.action.type === 'error') learn(event.action.error)
  })
  const mutations = client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') learn(event.action.error)
  })
  return () => {
    queries()
    mutations()
  }
}
