import type { JournalEvent } from '../../../core/journal/event.ts'
import { parseEvent } from '../../../core/journal/journal-lines.ts'
import type { SqlDatabase } from '../../../ports/sql-database.ts'

export interface JournalRow {
  readonly place: number
  readonly revision: number
  readonly line: string
}

// A journal of a hundred thousand events is a hundred megabytes: not in one answer.
const PAGE = 5_000

/** Every line of the journal, oldest first. */
export async function readJournalRows(database: SqlDatabase, project: string): Promise<JournalRow[]> {
  const rows: JournalRow[] = []
  for (;;) {
    const page = await database.transaction({ project }, (sql) =>
      sql.query<JournalRow>(
        'SELECT place, revision, line FROM ken.record_events WHERE project = $1 AND place > $2 ORDER BY place LIMIT $3',
        [project, rows.at(-1)?.place ?? -1, PAGE],
      ),
    )
    for (const row of page) rows.push(row)
    if (page.length < PAGE) return rows
  }
}

export const readEvents = async (database: SqlDatabase, project: string): Promise<JournalEvent[]> =>
  (await readJournalRows(database, project)).flatMap(({ line }) => parseEvent(line) ?? [])
