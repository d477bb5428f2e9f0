import type { TreeParser } from '../domain/sql/parse-dialect.ts'

/** sqlparser-rs in WebAssembly, for every dialect whose engine has no parser that runs here. Loaded once. */
export async function loadSqlparser(): Promise<TreeParser> {
  const { init, Parser } = await import('@guanmingchiu/sqlparser-ts')
  await init()
  return (sql, dialect) => JSON.parse(Parser.parseToJson(sql, dialect as 'generic')) as unknown
}
