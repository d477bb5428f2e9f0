import type { SqlDatabase } from '../kernel/ports/sql-database.ts'

/** Rows of a table that a text stands in, wherever. */
export type Mentions = Readonly<Record<string, number>>

/** Numbers of what stands in `index_documents` and goes with it: too many to be walked, and no text of their own. */
export const NOT_WALKED = ['index_segments', 'index_leaves', 'index_vectors', 'index_outlines']

/**
 * Walks through every other table for texts, as whole words and in letters of any case. Asks the catalogue which tables
 * there are: one that nobody thought of is walked as well.
 */
export const mentionsOf = <Name extends string>(
  database: SqlDatabase,
  texts: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, Mentions>>> =>
  database.transaction('server', async (sql) => {
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

/** Of a text as JSON has it, between anything but letters and digits; a line end before it is written with a letter. */
const wholeWord = (text: string): string =>
  String.raw`(?:^|[^[:alnum:]]|\\[nrtbf])` +
  `${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`)}(?![[:alnum:]])`
