import { databaseIndex } from './domain/context-project/database-index.ts'
import { joinMap } from './domain/context-project/join-map.ts'
import type { Manifest, ManifestEntry } from './domain/context-project/manifest.ts'

export interface Page {
  readonly path: string
  readonly text: string
}

/** The pages about a database as a whole: its tables and joins. */
export function databasePages(manifest: Manifest): readonly Page[] {
  const folders = Map.groupBy(
    [...manifest.values()].filter((entry) => entry.table !== undefined && entry.files.length > 0),
    databaseFolder,
  )
  return [...folders].flatMap(([folder, entries]) => {
    const tables = entries.map((entry) => ({
      table: entry.table!,
      folder: tableFolder(entry).slice(folder.length + 1),
      tokens: entry.files.reduce((sum, file) => sum + file.tokens, 0),
      changed: entry.files
        .map((file) => file.fetched_at.slice(0, 10))
        .toSorted()
        .at(-1)!,
    }))
    const { database } = entries[0]!.table!
    const joins = joinMap(
      database,
      tables.map(({ table }) => table),
    )
    return [
      ...databaseIndex(database, tables, joins === undefined ? [] : ['joins.md']),
      ...(joins === undefined ? [] : [{ path: 'joins.md', text: joins }]),
    ].map(({ path, text }) => ({ path: `${folder}/${path}`, text }))
  })
}

const tableFolder = (entry: ManifestEntry): string => entry.files[0]!.path.split('/').slice(0, -1).join('/')

/** `databases/type=…/database=…`: a table is two folders below. */
const databaseFolder = (entry: ManifestEntry): string => tableFolder(entry).split('/').slice(0, -2).join('/')
