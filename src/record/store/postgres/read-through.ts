import type { SqlDatabase, SqlSession } from '../../../kernel/ports/sql-database.ts'
import { JOURNAL } from '../judge-journal.ts'
import { readJournalRows } from './journal-rows.ts'
import { snapshotRows } from './snapshot-rows.ts'

export interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

/** A text of a file. Texts that belong to no file have the path ''. */
export interface TextKey {
  readonly path: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

export interface PathText extends TextKey {
  readonly text: string
}

export const SNAPSHOTS = 'snapshots'

// Read at once: a long history of a large file does not fit in memory.
const MOST_BYTES = 4 * 1024 * 1024

/** Every present and past text of a file, once for each of its paths. */
export async function* pathTexts(place: Place): AsyncGenerator<PathText> {
  const { database, project } = place
  for (const page of pagesOf(await textKeys(place)))
    yield* await database.transaction({ project }, (sql) => textsOf(sql, project, page))
}

/** Decisions first: their names are in other texts. */
export async function textKeys({ database, project }: Place): Promise<readonly TextKey[]> {
  const keys = await database.transaction({ project }, (sql) =>
    sql.query<TextKey>(
      `SELECT DISTINCT t.sha256, coalesce(f.path, '') AS path, octet_length(t.text) AS size FROM ken.record_texts t
         LEFT JOIN ken.record_files f ON f.project = t.project AND f.sha256 = t.sha256
       WHERE t.project = $1`,
      [project],
    ),
  )
  const [decisions, others] = [keys.filter(isDecision), keys.filter((key) => !isDecision(key))]
  return [...decisions, ...others]
}

const isDecision = ({ path }: TextKey): boolean => path.startsWith('decisions/')

/** Parts of a list whose texts fit in memory together. */
export function* pagesOf<Key extends TextKey>(keys: readonly Key[]): Generator<readonly Key[]> {
  let page: Key[] = []
  let bytes = 0
  for (const key of keys) {
    if (page.length > 0 && bytes + key.size > MOST_BYTES) {
      yield page
      page = []
      bytes = 0
    }
    page.push(key)
    bytes += key.size
  }
  if (page.length > 0) yield page
}

/** The texts of a page; those that are gone meanwhile are left out. */
export async function textsOf<Key extends TextKey>(
  sql: SqlSession,
  project: string,
  page: readonly Key[],
): Promise<(Key & { readonly text: string })[]> {
  const rows = await sql.query<{ sha256: string; text: string }>(
    `SELECT sha256, text FROM ken.record_texts
     WHERE project = $1 AND sha256 IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
    [project, JSON.stringify([...new Set(page.map(({ sha256 }) => sha256))])],
  )
  const texts = new Map(rows.map(({ sha256, text }) => [sha256, text]))
  return page.flatMap((key) => {
    const text = texts.get(key.sha256)
    return text === undefined ? [] : [{ ...key, text }]
  })
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
