import { availableParallelism } from 'node:os'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import type { QueryLimits } from '../../../core/sql/query.ts'
import { serveEngine } from '../engine-process.ts'
import { openDuckdbParser } from './parse.ts'
import { queryDuckdb } from './query.ts'

export type DuckdbTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'parse'; readonly sql: string }
  | { readonly kind: 'query'; readonly sql: string; readonly limits: QueryLimits }

const parse = openDuckdbParser()

serveEngine<DuckdbTask, DuckDBInstance>({
  open: (path, memory) => DuckDBInstance.create(path, { ...sizedTo(memory), ...SEALED }),
  async run(task, instance) {
    if (task.kind === 'open') return undefined
    const connection = await instance.connect()
    try {
      return await work(task, connection)
    } finally {
      connection.closeSync()
    }
  },
  isAboutStatement: (error) => /^(?:Parser|Binder|Catalog|Syntax) Error/.test(error.message),
})

const work = (task: Exclude<DuckdbTask, { kind: 'open' }>, connection: DuckDBConnection): Promise<unknown> =>
  task.kind === 'parse' ? parse(task.sql, connection) : queryDuckdb(connection, task.sql, task.limits)

/**
 * Half of what the process may hold: lists, long texts and the rows on their way to us are not in the engine's own
 * count.
 */
function sizedTo(memory: number): Record<string, string> {
  return {
    memory_limit: `${Math.floor(memory / 2 / 1024 ** 2)}MiB`,
    threads: String(Math.min(MOST_THREADS, availableParallelism())),
  }
}

const MOST_THREADS = 4

// Order matters: nothing can be set once external access is off, and the lock comes last.
const SEALED = {
  access_mode: 'READ_ONLY',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  // Without this, a large sort would write beside the user's file.
  temp_directory: '',
  enable_external_access: 'false',
  lock_configuration: 'true',
}
