import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'

/** Checksums of all rows by owner: `table owner`. */
export type RowSums = ReadonlyMap<string, string>

// Excluded, because using a token or session updates this column.
const UNTOLD = "- 'used_at'"
// Reads are logged about a second later.
const LATER = 'audit_log'
// A lease names its purpose: a turn in a chat, or a refresh of a story.
const LEASED = ['chats', 'stories'].map(
  (table) => `(SELECT min(project::text) FROM ken.${table} WHERE id = split_part(r.name, ' ', 2))`,
)

/**
 * Covers every table except the audit log. A row belongs to its project, else its organisation, else its person; one
 * that names none of them has no owner.
 */
export async function rowSums(database: SqlDatabase): Promise<RowSums> {
  return database.transaction('server', async (sql) => {
    const tables = await sql.query<{ name: string; columns: readonly string[] }>(
      `SELECT c.relname::text AS name, jsonb_agg(a.attname) AS columns FROM pg_class c
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'ken'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '${LATER}'
        GROUP BY c.relname`,
    )
    const each = tables.map(({ name, columns }) => {
      const owners = ['project', 'organisation', 'person'].filter((column) => columns.includes(column))
      const named = name === 'leases' ? LEASED : owners.map((column) => `r.${column}::text`)
      const owner = `coalesce(${[...named, "'nobody'"].join(', ')})`
      return `SELECT '${name} ' || ${owner} AS of, md5(string_agg((to_jsonb(r) ${UNTOLD})::text, '|' ORDER BY (to_jsonb(r) ${UNTOLD})::text)) AS sum
        FROM ken."${name}" r GROUP BY 1`
    })
    const rows = await sql.query<{ of: string; sum: string }>(each.join('\nUNION ALL\n'))
    return new Map(rows.map(({ of, sum }) => [of, sum]))
  })
}

/** Owners with changed rows, except those that `isOwn` accepts. */
export const changedRows = (before: RowSums, after: RowSums, isOwn: (owner: string) => boolean): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (of) => before.get(of) !== after.get(of) && !isOwn(of.slice(of.indexOf(' ') + 1)),
  )
