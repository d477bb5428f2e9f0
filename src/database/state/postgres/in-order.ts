import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'

const queues = new WeakMap<SqlDatabase, Map<string, Promise<unknown>>>()

/**
 * Runs this process's requests in order, although its connections would race; writers of one chat wait here instead of
 * each holding a connection.
 */
export function inOrder<T>(database: SqlDatabase, name: string, work: () => Promise<T>): Promise<T> {
  const waiting = queues.get(database) ?? new Map<string, Promise<unknown>>()
  queues.set(database, waiting)
  const mine = (waiting.get(name) ?? Promise.resolve()).then(work)
  const last = mine
    .catch(() => undefined)
    .finally(() => {
      if (waiting.get(name) === last) waiting.delete(name)
    })
  waiting.set(name, last)
  return mine
}
