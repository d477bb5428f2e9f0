import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { JOURNAL } from '../judge-journal.ts'
import { readJournalRows } from './journal-rows.ts'
import { snapshotRows } from './snapshot-rows.ts'

interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

export interface PathText {
  readonly path: string
  readonly sha256: string
  readonly text: string
}

export const SNAPSHOTS = 'snapshots'

// About a megabyte of typical texts.
const PAGE = 200

/** Every present and past text of a file, once for each of its paths. Texts that belong to no file have the path ''. */
export async function* pathTexts({ database, project }: Place): AsyncGenerator<PathText> {
  let last = { sha256: '', path: '' }
  for (;;) {
    const page = await database.transaction({ project }, (sql) =>
      sql.query<PathText>(
        `SELECT DISTINCT t.sha256, coalesce(f.path, '') AS path, t.text FROM ken.record_texts t
           LEFT JOIN ken.record_files f ON f.project = t.project AND f.sha256 = t.sha256
         WHERE t.project = $1 AND (t.sha256, coalesce(f.path, '')) > ($2, $3)
         ORDER BY t.sha256, path LIMIT $4`,
        [project, last.sha256, last.path, PAGE],
      ),
    )
    yield* page
    if (page.length < PAGE) return
    last = page.at(-1)!
  }
}

/** Every text kept for a record, in its stored form. */
export async function* everything(place: Place): AsyncGenerator<{ path: string; text: string }> {
  for await (const { path, text } of pathTexts(place)) yield { path, text }
  for (const { line } of await readJournalRows(place.database, place.project)) yield { path: JOURNAL, text: line }
  for (const { trigger, detail } of await snapshotRows(place)) {
    yield { path: SNAPSHOTS, text: trigger }
    yield { path: SNAPSHOTS, text: detail }
  }
  const paths = await place.database.transaction({ project: place.project }, (sql) =>
    sql.query<{ path: string }>('SELECT DISTINCT path FROM ken.record_files WHERE project = $1', [place.project]),
  )
  for (const { path } of paths) yield { path, text: path }
}
