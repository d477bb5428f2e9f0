import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { BoundValue } from '../../domain/sql/bind-names.ts'
import type { QueryLimits } from '../../domain/sql/query.ts'
import { serveEngine } from '../engine-process.ts'
import { dataFiles, FILES_PREFIX } from './data-files.ts'
import { openDuckdbParser } from './parse.ts'
import { queryDuckdb } from './query.ts'

export type DuckdbTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'parse'; readonly sql: string }
  | {
      readonly kind: 'query'
      readonly sql: string
      readonly limits: QueryLimits
      readonly values: readonly BoundValue[]
    }

/** State of the file while it is open; its macros may change before it is opened again. */
interface OpenFile {
  readonly instance: DuckDBInstance
  readonly parse: ReturnType<typeof openDuckdbParser>
}

serveEngine<DuckdbTask, OpenFile>({
  open: async (path, memory) => ({
    instance: path.startsWith(FILES_PREFIX)
      ? await viewsOf(path.slice(FILES_PREFIX.length), memory)
      : await patiently(() => create(path, memory)),
    parse: openDuckdbParser(),
  }),
  close: ({ instance }) => instance.closeSync(),
  async run(task, { instance, parse }) {
    if (task.kind === 'open') return undefined
    const connection = await instance.connect()
    try {
      return await (task.kind === 'parse' ? parse(task.sql, connection) : queryDuckdb(connection, task))
    } finally {
      connection.closeSync()
    }
  },
  isAboutStatement: (error) => /^(?:Parser|Binder|Catalog|Syntax) Error/.test(error.message),
})

const create = (path: string, memory: number): Promise<DuckDBInstance> =>
  DuckDBInstance.create(path, { ...sizedTo(memory), ...SEALED })

/**
 * A database in memory with one view for each data file. Statements can read these files and no others: access is
 * closed before the first statement and cannot be reopened.
 */
async function viewsOf(path: string, memory: number): Promise<DuckDBInstance> {
  const files = dataFiles(path)
  const instance = await DuckDBInstance.create(':memory:', { ...sizedTo(memory), ...WITHOUT_EXTENSIONS })
  const connection = await instance.connect()
  try {
    for (const file of files)
      await connection.run(
        `CREATE VIEW "${file.table.replaceAll('"', '""')}" AS SELECT * FROM read_${file.format}(${quoted(file.path)})`,
      )
    await connection.run(`SET allowed_paths = [${files.map(({ path: one }) => quoted(one)).join(', ')}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
  } finally {
    connection.closeSync()
  }
  return instance
}

/** A glob in a file name would read other files. */
const quoted = (path: string): string => {
  if (/[*?[\]{}]/.test(path)) throw new Error(`${path} has a wildcard character in its name: rename the file`)
  return `'${path.replaceAll("'", "''")}'`
}

const PATIENCE_MS = 5_000
const PAUSE_MS = 100

/** Retries, because most writers finish quickly, and a file that is being written cannot be opened at all. */
async function patiently<T>(open: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    try {
      return await open()
    } catch (error) {
      if (!/could not set lock on file/i.test((error as Error).message) || Date.now() > until) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Half of the process's limit: lists, long texts and rows in transit are not in the engine's own count. */
function sizedTo(memory: number): Record<string, string> {
  return {
    memory_limit: `${Math.floor(memory / 2 / 1024 ** 2)}MiB`,
    threads: String(Math.min(MOST_THREADS, availableParallelism())),
  }
}

const MOST_THREADS = 4

const WITHOUT_EXTENSIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  // Otherwise a large sort would write next to the user's file.
  temp_directory: '',
}

// Order matters: nothing can be set once external access is off, and the lock comes last.
const SEALED = {
  access_mode: 'READ_ONLY',
  ...WITHOUT_EXTENSIONS,
  enable_external_access: 'false',
  lock_configuration: 'true',
}
