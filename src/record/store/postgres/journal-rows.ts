import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { type JournalLine, parseEvent } from '../../domain/journal/journal-lines.ts'
import { readLines } from '../judge-journal.ts'

export interface JournalRow {
  readonly place: number
  readonly revision: number
  readonly line: string
}

// A journal of a hundred thousand events is a hundred megabytes: too much for one result.
const PAGE = 5_000

/** Every line of the journal, oldest first; through a cursor, because lines may move between two pages. */
export const readJournalRows = (database: SqlDatabase, project: string): Promise<JournalRow[]> =>
  database.transaction(
    { project },
    async (sql) => {
      await sql.query(
        `DECLARE journal NO SCROLL CURSOR FOR
       SELECT place, revision, line FROM ken.record_events WHERE project = $1 ORDER BY place`,
        [project],
      )
      const rows: JournalRow[] = []
      for (;;) {
        const page = await sql.query<JournalRow>(`FETCH ${PAGE} FROM journal`)
        for (const row of page) rows.push(row)
        if (page.length < PAGE) return rows
      }
    },
    { readOnly: true },
  )

/** The event with this id; undefined if the journal does not have it. */
export const eventOf = (database: SqlDatabase, project: string, id: string): Promise<JournalEvent | undefined> =>
  database.transaction(
    { project },
    async (sql) => {
      const [row] = await sql.query<JournalRow>('SELECT line FROM ken.record_events WHERE project = $1 AND id = $2', [
        project,
        id,
      ])
      return row && parseEvent(row.line)
    },
    { readOnly: true },
  )

export const readJournalLines = async (database: SqlDatabase, project: string): Promise<readonly JournalLine[]> =>
  readLines((await readJournalRows(database, project)).map(({ line }) => line)).lines

export const readEvents = async (database: SqlDatabase, project: string): Promise<JournalEvent[]> =>
  (await readJournalRows(database, project)).flatMap(({ line }) => parseEvent(line) ?? [])
