import type { SqlSession } from '../../kernel/ports/sql-database.ts'

export interface Column {
  readonly name: string
  readonly type: string
}

export interface Table {
  readonly name: string
  /** Without generated columns. */
  readonly columns: readonly Column[]
  /** Whether a row may be larger than a page. */
  readonly hasLargeRows: boolean
}

export interface Sequence {
  readonly name: string
  /** Text, because it may exceed the range of a number. */
  readonly last: string
  readonly called: boolean
}

// A regular row is compressed to at most two kilobytes, and expands at most a hundredfold; a large one may be as large
// as a request body.
const ROWS_AT_ONCE = 200
const LARGE_ROWS_AT_ONCE = 16

/** All Ken tables except the list of migrations, from the catalogue, so that new ones are included automatically. */
export const tablesOf = (sql: SqlSession): Promise<readonly Table[]> => sql.query<Table>(TABLES)

export async function sequencesOf(sql: SqlSession): Promise<readonly Sequence[]> {
  const found: Sequence[] = []
  for (const { name } of await sql.query<{ name: string }>(SEQUENCES))
    found.push(
      ...(await sql.query<Sequence>(
        `SELECT $1::text AS name, last_value::text AS last, is_called AS called FROM ken.${quoted(name)}`,
        [name],
      )),
    )
  return found
}

export async function setSequence(sql: SqlSession, { name, last, called }: Sequence): Promise<void> {
  await sql.query('SELECT setval($1::text::regclass, $2::text::bigint, $3)', [`ken.${quoted(name)}`, last, called])
}

/**
 * Formats values as text that means the same on every server, whatever its settings. Lasts until the transaction ends.
 */
export async function describePlainly(sql: SqlSession): Promise<void> {
  await sql.query(
    `SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
       set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
       set_config('intervalstyle', 'postgres', true), set_config('extra_float_digits', '1', true),
       set_config('bytea_output', 'hex', true), set_config('row_security', 'off', true)`,
  )
}

/** Rows of a table, each a JSON list of texts on one line. Memory use does not grow with the table. */
export async function* readRows(sql: SqlSession, { name, columns, hasLargeRows }: Table): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${quoted(column.name)}::text`).join(', ')
  await sql.query(
    `DECLARE rows_of_table NO SCROLL CURSOR FOR SELECT array_to_json(ARRAY[${texts}]::text[])::text AS row FROM ken.${quoted(name)}`,
  )
  for (;;) {
    const rows = await sql.query<{ row: string }>(
      `FETCH ${hasLargeRows ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE} FROM rows_of_table`,
    )
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await sql.query('CLOSE rows_of_table')
}

/**
 * `rows`: one or more lines of `readRows`, with values in the order of `given`. Columns that only one side has are left
 * out.
 */
export async function insertRows(
  sql: SqlSession,
  { name, columns: all }: Pick<Table, 'name' | 'columns'>,
  { given, rows }: { readonly given: readonly string[]; readonly rows: readonly string[] },
): Promise<void> {
  const columns = all.filter((column) => given.includes(column.name))
  const values = columns.map((column) => `(r.value ->> ${given.indexOf(column.name)})::${column.type}`)
  await sql.query(
    `INSERT INTO ken.${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join(', ')} FROM jsonb_array_elements($1::text::jsonb) AS r(value)`,
    [`[${rows.join(',')}]`],
  )
}

/** Runs `work` without foreign keys, so that tables may be filled in any order; then checks every row against them. */
export async function withoutForeignKeys<T>(sql: SqlSession, work: () => Promise<T>): Promise<T> {
  const keys = await sql.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS)
  for (const { table, name } of keys)
    await sql.query(`ALTER TABLE ken.${quoted(table)} DROP CONSTRAINT ${quoted(name)}`)
  const result = await work()
  for (const { table, name, definition } of keys)
    await sql.query(`ALTER TABLE ken.${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`)
  return result
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const OWN = "relnamespace = 'ken'::regnamespace"

const TABLES = `
  SELECT c.relname::text AS name,
    c.reltoastrelid <> 0 AND pg_relation_size(c.reltoastrelid) > 0 AS "hasLargeRows",
    (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
  FROM pg_class c WHERE ${OWN} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migrations'
  ORDER BY c.relname COLLATE "C"`

const SEQUENCES = `SELECT relname::text AS name FROM pg_class WHERE ${OWN} AND relkind = 'S' ORDER BY relname COLLATE "C"`

const FOREIGN_KEYS = `
  SELECT c.relname::text AS table, k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.${OWN} AND k.contype = 'f' AND k.conparentid = 0 ORDER BY 1, 2`
