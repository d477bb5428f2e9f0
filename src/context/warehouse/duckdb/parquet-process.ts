import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { serveEngine } from '../engine-process.ts'

export interface ParquetTask {
  readonly path: string
  /** Possible types of a column, best first. */
  readonly columns: readonly { readonly name: string; readonly types: readonly string[] }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

serveEngine<ParquetTask, DuckDBConnection>({
  async open(folder, memory) {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${Math.floor(memory / 2 / 1024 ** 2)}MiB`,
      threads: '1',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      temp_directory: '',
    })
    const connection = await instance.connect()
    await connection.run(`SET TimeZone = 'UTC'`).catch(() => undefined)
    await connection.run(`SET allowed_directories = [${text(folder)}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return connection
  },
  close: (connection) => connection.closeSync(),
  async run({ path, columns, rows }, connection) {
    await load(columns.length, rows, connection)
    const shown: string[] = []
    for (const [i, { name, types }] of columns.entries())
      shown.push(`${await typed(i, types, connection)} AS ${quote(name)}`)
    await connection.run(
      `COPY (SELECT ${shown.join(', ')} FROM given ORDER BY rowid) TO ${text(path)} (FORMAT parquet)`,
    )
  },
  isAboutStatement: () => false,
})

/** Loads everything as text: the type of a column is decided from all its values. */
async function load(width: number, rows: ParquetTask['rows'], connection: DuckDBConnection): Promise<void> {
  const columns = Array.from({ length: width }, (_, i) => `c${i} VARCHAR`)
  await connection.run(`CREATE OR REPLACE TABLE given (${columns.join(', ')})`)
  const appender = await connection.createAppender('given')
  for (const row of rows) {
    for (const cell of row) {
      if (cell === null) appender.appendNull()
      else appender.appendVarchar(cell)
    }
    appender.endRow()
  }
  appender.closeSync()
}

/** First type that fits every value, or text. */
async function typed(column: number, types: readonly string[], connection: DuckDBConnection): Promise<string> {
  const name = `c${column}`
  for (const type of types) {
    const found = await connection.runAndReadAll(
      `SELECT count(*) FROM given WHERE ${name} IS NOT NULL AND (${fits(name, type)}) IS NOT TRUE`,
    )
    if (Number(found.getRows()[0]?.[0]) > 0) continue
    return type === 'BLOB' ? `unhex(substr(${name}, 3))` : `CAST(${name} AS ${type})`
  }
  return name
}

/** Whether a value round-trips: a plain cast would round, and accept '007' as a number. */
function fits(name: string, type: string): string {
  if (type === 'BLOB') return String.raw`regexp_full_match(${name}, '\\x([0-9a-f]{2})*')`
  if (/INT/.test(type)) return `CAST(TRY_CAST(${name} AS ${type}) AS VARCHAR) = ${name}`
  const scale = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1]
  const isWhole = scale === undefined ? '' : String.raw` AND regexp_full_match(${name}, '-?\d+(\.\d{0,${scale}}0*)?')`
  return `TRY_CAST(${name} AS ${type}) IS NOT NULL${isWhole}`
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
