import type { SqlDatabase, SqlValue } from '../../kernel/ports/sql-database.ts'
import type { ExportedTable } from './exported-tables.ts'

const ROWS_AT_ONCE = 200
const LARGE_ROWS_AT_ONCE = 5

interface Key {
  readonly name: string
  readonly type: string
}

/**
 * The rows of one owner, each a line of JSON, in primary key order. Every page is a separate transaction: a slow reader
 * blocks no one.
 */
export async function* readTable(
  database: SqlDatabase,
  { table, column, without = [], isLarge }: ExportedTable,
  whose: string,
): AsyncGenerator<readonly string[]> {
  const keys = await keysOf(database, table)
  const names = keys.map(({ name }) => `t."${name}"`).join(', ')
  const after = `(${names}) > (${keys.map(({ type }, at) => `$${at + 3}::text::${type}`).join(', ')})`
  const limit = isLarge ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE
  let last: readonly SqlValue[] = []
  for (;;) {
    const rows = await database.transaction(
      'server',
      async (sql) => {
        await sql.query("SELECT set_config('statement_timeout', '0', true), set_config('timezone', 'UTC', true)")
        return sql.query<{ row: string; key: readonly string[] }>(
          `SELECT (to_jsonb(t) - $2::text[])::text AS row,
             jsonb_build_array(${keys.map(({ name }) => `t."${name}"::text`).join(', ')}) AS key
           FROM ken."${table}" t WHERE t."${column}" = $1 ${last.length === 0 ? '' : `AND ${after}`}
           ORDER BY ${names} LIMIT ${limit}`,
          [whose, `{${without.join(',')}}`, ...last],
        )
      },
      { readOnly: true },
    )
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < limit) return
    last = rows.at(-1)!.key
  }
}

const keysOf = (database: SqlDatabase, table: string): Promise<readonly Key[]> =>
  database.transaction(
    'server',
    (sql) =>
      sql.query<Key>(
        `SELECT a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type
         FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, at)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
         WHERE i.indrelid = $1::text::regclass AND i.indisprimary ORDER BY k.at`,
        [`ken."${table}"`],
      ),
    { readOnly: true },
  )
