import type { SqlDatabase, SqlScope } from '../kernel/ports/sql-database.ts'

/** Number of rows per table that contain a text. */
export type Mentions = Readonly<Record<string, number>>

/** Derived from `index_documents` and deleted with it: too many rows to scan, and no text in them. */
export const NOT_WALKED = ['index_segments', 'index_leaves', 'index_vectors', 'index_outlines']

/**
 * Scans every other table for texts, as whole words and case-insensitively. The tables are from the catalogue, so that
 * none is missed; for a tenant, only those that it may read.
 */
export const mentionsOf = <Name extends string>(
  database: SqlDatabase,
  texts: Readonly<Record<Name, string>>,
  scope: SqlScope = 'server',
): Promise<Readonly<Record<Name, Mentions>>> =>
  database.transaction(scope, async (sql) => {
    await sql.query(
      "SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)",
    )
    const tables = await sql.query<{ name: string }>(
      `SELECT table_name::text AS name FROM information_schema.tables
       WHERE table_schema = 'ken' AND table_type = 'BASE TABLE' AND table_name <> 'migrations' ORDER BY 1`,
    )
    const wanted = Object.entries<string>(texts).filter(([, text]) => text !== '')
    const found = Object.fromEntries(Object.keys(texts).map((name) => [name, {}])) as Record<
      string,
      Record<string, number>
    >
    if (wanted.length === 0) return found as Record<Name, Mentions>
    const counts = wanted.map(([name], at) => `count(*) FILTER (WHERE row ~* $${at + 1}) AS "${name}"`).join(', ')
    for (const { name: table } of tables.filter(({ name }) => !NOT_WALKED.includes(name))) {
      const [row] = await sql.query<Record<string, number>>(
        `SELECT ${counts} FROM (SELECT to_jsonb(t)::text AS row FROM ken."${table}" t) AS rows`,
        wanted.map(([, text]) => wholeWord(text)),
      )
      for (const [name] of wanted) if (row![name]! > 0) found[name]![table] = row![name]!
    }
    return found as Record<Name, Mentions>
  })

/** Number of rows of one project that contain any of the texts, by table. */
export async function mentionsIn(
  database: SqlDatabase,
  project: string,
  texts: readonly string[],
): Promise<readonly { table: string; rows: number }[]> {
  const rows = new Map<string, number>()
  for (const text of texts) {
    const { found } = await mentionsOf(database, { found: text }, { project })
    for (const [table, count] of Object.entries(found)) rows.set(table, (rows.get(table) ?? 0) + count)
  }
  return [...rows].filter(([table]) => !table.startsWith('record')).map(([table, count]) => ({ table, rows: count }))
}

/**
 * Matches a JSON-encoded text, with any white space between its words and no letter or digit next to it; the letter of
 * an escape such as `\n` before it does not count.
 */
const wholeWord = (text: string): string =>
  String.raw`(?:^|[^[:alnum:]]|\\[nrtbf])` + `${text.trim().split(/\s+/).map(encoded).join(SPACE)}(?![[:alnum:]])`

/** Also as JSON writes it, once or in JSON within JSON. */
const SPACE = String.raw`(?:\s|\\+[nrtf])+`

const encoded = (word: string): string =>
  JSON.stringify(word)
    .slice(1, -1)
    .replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)
