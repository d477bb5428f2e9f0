import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { SqlDatabase, SqlValue } from '../../kernel/ports/sql-database.ts'
import type { DataExport, ExportedFile } from '../ports/data-export.ts'
import { OF_PERSON, OF_PROJECT } from './exported-tables.ts'
import type { ExportedTable } from './exported-tables.ts'
import { recordFiles, textFile } from './record-files.ts'

export interface DataExportOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly version: string
}

/** Characters; longer contents are split into several files. */
const LARGEST_FILE = 8_000_000

/** Exports directly from the tables, page by page. */
export const openDataExport = (database: SqlDatabase, options: DataExportOptions): DataExport => ({
  async *person(id) {
    await assertThere(database, 'people', id)
    yield readme({ what: 'a person', id, tables: OF_PERSON, more: [] }, options)
    yield* tableFiles(database, OF_PERSON, id)
  },
  async *project(id) {
    await assertThere(database, 'projects', id)
    yield readme(
      {
        what: 'a project',
        id,
        tables: OF_PROJECT,
        more: [
          '`.ken/`: the record as it is now, with its journal. `ken status` works in this folder; `ken trust` takes it as yours.',
          '`people.jsonl`: names and addresses of those whom the other files name by id.',
        ],
      },
      options,
    )
    yield* recordFiles(database, id)
    yield textFile('people.jsonl', await peopleOf(database, id))
    yield* tableFiles(database, OF_PROJECT, id)
  },
})

async function assertThere(database: SqlDatabase, table: 'people' | 'projects', id: string): Promise<void> {
  const found = await database.transaction('server', (sql) => sql.query(`SELECT FROM ken.${table} WHERE id = $1`, [id]))
  if (found.length === 0) throw new AppError('not_found', `Nothing found for ${id}.`)
}

async function* tableFiles(
  database: SqlDatabase,
  tables: readonly ExportedTable[],
  whose: string,
): AsyncGenerator<ExportedFile> {
  for (const table of tables) {
    let [text, part] = ['', 1]
    const file = (): ExportedFile => textFile(`${table.file}${part === 1 ? '' : `-${part}`}.jsonl`, text)
    for await (const rows of readTable(database, table, whose)) {
      text += rows.map((row) => `${row}\n`).join('')
      if (text.length < LARGEST_FILE) continue
      yield file()
      part += 1
      text = ''
    }
    // Written even if it is empty: a missing file would not show that there is no data.
    if (text !== '' || part === 1) yield file()
  }
}

/** Members of the project and authors of anything in it; leaves out other people in its organisation. */
async function peopleOf(database: SqlDatabase, project: string): Promise<string> {
  const tables = ['members', 'chats', 'stories', 'shares', 'shared_texts', 'audit_log']
  const rows = await database.transaction('server', (sql) =>
    sql.query<{ row: string }>(
      `SELECT jsonb_build_object('id', p.id, 'name', p.name, 'email', p.email, 'role', p.role)::text AS row
       FROM ken.people p WHERE p.id IN (${tables.map((table) => `SELECT person FROM ken.${table} WHERE project = $1`).join(' UNION ')})
       ORDER BY p.id`,
      [project],
    ),
  )
  return rows.map(({ row }) => `${row}\n`).join('')
}

interface Told {
  readonly what: string
  readonly id: string
  readonly tables: readonly ExportedTable[]
  readonly more: readonly string[]
}

const readme = ({ what, id, tables, more }: Told, { clock, version }: DataExportOptions): ExportedFile =>
  textFile(
    'README.md',
    `# Everything that Ken keeps of ${what}

${id}, exported at ${clock.now().toISOString()} by Ken ${version}.

Each \`.jsonl\` file has one JSON object a line; what is long goes on in a file with \`-2\` and so on at the end of its
name. Times are ISO 8601. Secrets are not in it: no hash of a token, no id of a session.

${[...more, ...tables.map(({ file, about }) => `\`${file}.jsonl\`: ${about}.`)].map((line) => `- ${line}`).join('\n')}
`,
  )

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
async function* readTable(
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
