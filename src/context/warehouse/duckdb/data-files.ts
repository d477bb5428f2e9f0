import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Argument prefix of the engine's process for data files instead of a database file; no absolute path begins with it.
 */
export const FILES_PREFIX = 'files:'

export interface DataFile {
  readonly path: string
  /** The file name without its extension; with the extension if another file has the same name. */
  readonly table: string
  readonly format: 'csv' | 'parquet'
}

const DATA_FILE = /\.(csv|tsv|parquet)(?:\.gz)?$/i
const MOST_FILES = 1_000

/** The data files of a path: itself, or the plain files directly in it. Links are not followed. */
export function dataFiles(path: string): readonly DataFile[] {
  const paths = statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile() && DATA_FILE.test(entry.name))
        .map(({ name }) => join(path, name))
        .sort()
    : [path]
  if (paths.length > MOST_FILES) throw new Error(`${path} has ${paths.length} data files; the limit is ${MOST_FILES}`)
  const stem = (one: string): string => basename(one).replace(DATA_FILE, '')
  return paths.map((one) => ({
    path: one,
    table: paths.filter((other) => stem(other) === stem(one)).length > 1 ? basename(one) : stem(one),
    format: /\.parquet(?:\.gz)?$/i.test(one) ? 'parquet' : 'csv',
  }))
}
