import type { SqlSession, SqlValue } from '../kernel/ports/sql-database.ts'

export interface Erased {
  readonly table: string
  readonly rows: number
  /** Hash of the rows in any order; the same rows in a backup have the same hash. */
  readonly fingerprint: string
}

/** Rows `t` of a table that match a condition. */
export interface Place {
  readonly table: string
  readonly where: string
  readonly values: readonly SqlValue[]
}

/** Deletes the rows of all places, and returns a summary of them; several places of one table are merged. */
export async function eraseRows(sql: SqlSession, places: readonly Place[]): Promise<readonly Erased[]> {
  await sql.query(
    "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)",
  )
  // Counted before any deletion, because a row cascades to those that refer to it.
  const found = new Map<string, { rows: number; sum: bigint }>()
  for (const { table, where, values } of places) {
    const [row] = await sql.query<Omit<Erased, 'table'>>(
      `SELECT count(*) AS rows, coalesce(sum(hashtextextended(to_jsonb(t)::text, 0)), 0)::text AS fingerprint
       FROM ken."${table}" t WHERE ${where}`,
      values,
    )
    const before = found.get(table) ?? { rows: 0, sum: 0n }
    if (row!.rows > 0) found.set(table, { rows: before.rows + row!.rows, sum: before.sum + BigInt(row!.fingerprint) })
  }
  for (const { table, where, values } of places) await sql.query(`DELETE FROM ken."${table}" t WHERE ${where}`, values)
  return [...found].map(([table, { rows, sum }]) => ({ table, rows, fingerprint: String(sum) }))
}

/** Ken tables with a column of this name, except those that are kept. */
export const tablesWith = async (sql: SqlSession, column: string, but: readonly string[]): Promise<readonly string[]> =>
  (
    await sql.query<{ table: string }>(
      `SELECT c.table_name::text AS table FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'ken' AND c.column_name = $1 AND t.table_type = 'BASE TABLE' ORDER BY 1`,
      [column],
    )
  )
    .map(({ table }) => table)
    .filter((table) => !but.includes(table))
