import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '../../api/fault.ts'
import { Store } from '../../kit/store.ts'

/** `away`: Ken does not answer. `no-session`: it does, but not to this page. */
export type Connection = 'there' | 'away' | 'no-session'

export const connection = new Store<Connection>('there')

/** What a call that failed says of the connection; nothing where Ken answered. */
export function connectionOf(fault: unknown): Connection | undefined {
  if (!(fault instanceof Fault)) return undefined
  if (fault.status === 0) return 'away'
  return fault.status === 401 ? 'no-session' : undefined
}

/** Learns from every call that is made whether Ken is there. */
export function watchConnection(client: QueryClient): () => void {
  const learn = (fault: unknown): void => {
    const told = connectionOf(fault)
    if (told !== undefined) connection.set(told)
  }
  const queries = client.getQueryCache().subscribe((event) => {
    // Only what has just failed: a query keeps its last fault for as long as it is shown.
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
