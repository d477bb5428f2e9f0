import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { openZipArchive } from './zip-archive.ts'

/** Files of an export: a folder, a zip of it, or a single file. */
export interface ExportFiles {
  /** Sorted; relative, with forward slashes. */
  readonly paths: readonly string[]
  /** Undefined if it is missing, a link or larger than 64 MB. */
  read(path: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

// A workspace of a thousand channels over a thousand days.
const MOST_FILES = 1_000_000
const LARGEST_FILE = 64 * 1024 ** 2
const LARGEST_ZIP = 4 * 1024 ** 3
const DEEPEST = 20

/** Opens the export at a path of ken.yaml. Links below it are not followed; `wanted` matches the end of a name. */
export async function openExportFiles(path: string, wanted: RegExp): Promise<ExportFiles> {
  const place = await realpath(path).catch(() => undefined)
  const found = place === undefined ? undefined : await lstat(place)
  if (place === undefined || found === undefined)
    throw new AppError('unavailable', `There is nothing at ${path}.`, { hint: 'Check the path in ken.yaml.' })
  if (found.isDirectory()) {
    const paths = await filesBelow(place, wanted)
    return { paths, read: async (name) => readPlainFile(join(place, name), LARGEST_FILE), close: async () => undefined }
  }
  if (!/\.zip$/i.test(place)) {
    const name = place.slice(place.lastIndexOf('/') + 1)
    return { paths: [name], read: async () => readPlainFile(place, LARGEST_FILE), close: async () => undefined }
  }
  const zip = await openZipArchive(place, {
    mostEntries: MOST_FILES,
    largestEntry: LARGEST_FILE,
    largestTotal: LARGEST_ZIP,
  })
  const known = new Set(zip.entries.map((entry) => entry.path).filter((name) => wanted.test(name)))
  return {
    paths: [...known].sort(),
    read: async (name) => (known.has(name) ? zip.read(name) : undefined),
    close: () => zip.close(),
  }
}

async function filesBelow(folder: string, wanted: RegExp): Promise<readonly string[]> {
  const found: string[] = []
  const visit = async (at: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && depth < DEEPEST && !entry.name.startsWith('.')) await visit(path, depth + 1)
      else if (entry.isFile() && wanted.test(path)) found.push(path)
      if (found.length > MOST_FILES)
        throw new AppError('unavailable', `${folder} holds more than ${MOST_FILES.toLocaleString('en-US')} files.`, {
          hint: 'Use a folder with fewer files.',
        })
    }
  }
  await visit('', 0)
  return found.sort()
}
