import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { inListOrder, isListedFile, readablePath, recordText } from '../../domain/record-path.ts'
import { isApart, type RecordChanges } from './changes-since.ts'

/**
 * Texts of one revision as they are stored, by path: null if the text is lost, undefined if the file does not exist.
 * They may include a text that was read after the next revision, but they are used only while the record is at this
 * one.
 */
export interface RevisionTexts {
  has(path: string): boolean
  get(path: string): string | null | undefined
  set(path: string, text: string | null | undefined): void
  /** Returns the texts of the next revision, with all of its changed files. */
  after(changed: RecordChanges['files']): RevisionTexts
}

// Per record, of which a replica holds up to 256: about the texts of a hundred decisions.
const MOST_CHARACTERS = 500_000

/** Drops the oldest texts first. */
export function openRevisionTexts(most = MOST_CHARACTERS): RevisionTexts {
  const texts = new Map<string, string | null | undefined>()
  let characters = 0
  const drop = (path: string): void => {
    characters -= texts.get(path)?.length ?? 0
    texts.delete(path)
  }
  return {
    has: (path) => texts.has(path),
    get: (path) => texts.get(path),
    set(path, text) {
      drop(path)
      texts.set(path, text)
      characters += text?.length ?? 0
      for (const oldest of texts.keys()) {
        if (characters <= most) return
        drop(oldest)
      }
    },
    after(changed) {
      const next = openRevisionTexts(most)
      for (const [path, text] of texts) if (!isApart(path)) next.set(path, text)
      for (const { path, sha256, text } of changed) next.set(path, sha256 === null ? undefined : text)
      return next
    },
  }
}

interface TextSource {
  readonly database: SqlDatabase
  readonly project: string
  /** Texts that do not have to be read again. */
  readonly known?: RevisionTexts | undefined
}

/** The current texts of files; missing files are left out. */
export async function currentTexts(source: TextSource, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = await heldTexts(source, paths)
  return new Map([...texts].flatMap(([path, text]) => (text === null ? [] : [[path, recordText(text)] as const])))
}

/** Texts by path; null if the text is lost. */
async function heldTexts(
  { database, project, known = openRevisionTexts() }: TextSource,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const held = new Map(paths.map((path) => [path, known.get(path)]))
  const unread = paths.filter((path) => !known.has(path))
  if (unread.length > 0)
    for (const [path, text] of await readTexts({ database, project }, unread)) {
      held.set(path, text)
      known.set(path, text)
    }
  return new Map([...held].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))
}

async function readTexts(
  { database, project }: TextSource,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null | undefined>> {
  const rows = await database.transaction(
    { project },
    (sql) =>
      sql.query<{ path: string; text: string | null }>(
        `SELECT f.path, t.text FROM ken.record_files f
         LEFT JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.until IS NULL AND f.sha256 IS NOT NULL
         AND f.path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
        [project, JSON.stringify(paths)],
      ),
    { readOnly: true },
  )
  const texts = new Map(rows.map(({ path, text }) => [path, text]))
  return new Map(paths.map((path) => [path, texts.get(path)]))
}

/** Reads single files; those requested in one event-loop turn are batched into one statement. */
export function openReader(
  sourceNow: () => TextSource | Promise<TextSource>,
): (path: string) => Promise<string | undefined> {
  let turn: { readonly paths: Set<string>; readonly texts: Promise<ReadonlyMap<string, string | null>> } | undefined
  const begin = () => {
    const paths = new Set<string>()
    const texts = new Promise<void>((go) => setImmediate(go)).then(async () => {
      turn = undefined
      return heldTexts(await sourceNow(), [...paths])
    })
    return { paths, texts }
  }
  return async (path) => {
    const wanted = readablePath(path)
    turn ??= begin()
    turn.paths.add(wanted)
    const text = (await turn.texts).get(wanted)
    if (text === null)
      throw new AppError('damaged', `The text of ${path} is missing from the database`, {
        hint: 'Restore the database from a backup, or the file from a snapshot.',
      })
    return text === undefined ? undefined : recordText(text)
  }
}

export async function listFiles(database: SqlDatabase, project: string): Promise<string[]> {
  const rows = await database.transaction(
    { project },
    (sql) =>
      sql.query<{ path: string }>(
        'SELECT path FROM ken.record_files WHERE project = $1 AND until IS NULL AND sha256 IS NOT NULL',
        [project],
      ),
    { readOnly: true },
  )
  return inListOrder(rows.map(({ path }) => path)).filter(isListedFile)
}
