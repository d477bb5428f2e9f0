import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { openBoundedFolder, type BoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import { isText, LARGEST_TEXT } from '../../kernel/system/text-files.ts'
import { protectedReason } from '../domain/context-project/protected-path.ts'

export interface FolderText {
  /** Relative to the folder, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface FolderTexts {
  /** In path order. */
  readonly texts: readonly FolderText[]
  readonly skipped: readonly { readonly title: string; readonly reason: string }[]
}

const SKIPPED = new Set([
  'node_modules',
  '__pycache__',
  'venv',
  'target',
  'logs',
  'dbt_packages',
  'dbt_modules',
  'imported_projects',
])
const MOST_FILES = 20_000
const MOST_FOLDERS = 20_000
const MOST_BYTES = 32 * 1024 * 1024
const DEEPEST = 20

/**
 * Texts of a folder with wanted names, all or none: missing ones are deleted from the tree. Does not follow links or
 * enter folders that begin with a dot; files that no agent may see are not read.
 */
export function readFolderTexts(folder: string, isWanted: (path: string) => boolean): FolderTexts {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('unavailable', notFound('Folder', folder), { hint: 'Check the path in ken.yaml.' })
  const real = realpathSync(folder)
  const bounded = openBoundedFolder(real)
  const texts: FolderText[] = []
  const skipped: { title: string; reason: string }[] = []
  let bytes = 0
  for (const path of pathsBelow(bounded, folder).filter(isWanted)) {
    const isHidden = protectedReason(path) !== undefined || isInTests(join(real, path))
    const size = isHidden ? undefined : bounded.stat(path)?.size
    if (size === undefined) continue
    const read = size > LARGEST_TEXT ? undefined : bounded.read(path, LARGEST_TEXT)
    if (size > LARGEST_TEXT) skipped.push({ title: path, reason: 'it is larger than 1 MB' })
    else if (read !== undefined && isText(read)) {
      bytes += read.length
      if (texts.length >= MOST_FILES || bytes > MOST_BYTES) throw tooMuch(folder)
      texts.push({ path, text: read.toString('utf8').replace(/^\uFEFF/, '') })
    }
  }
  return { texts, skipped }
}

function pathsBelow(bounded: BoundedFolder, folder: string): string[] {
  const found: string[] = []
  const waiting: string[] = ['']
  for (let seen = 0; waiting.length > 0; seen++) {
    const at = waiting.pop()!
    if (seen > MOST_FOLDERS || at.split('/').length > DEEPEST) throw tooMuch(folder)
    for (const entry of bounded.entries(at)) {
      // Bounded folders reject backslashes in paths.
      if (entry.name.includes('\\')) continue
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isFile()) found.push(path)
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) waiting.push(path)
    }
  }
  return found.sort()
}

const tooMuch = (folder: string): AppError =>
  new AppError('unavailable', `${folder} has more than Ken reads: 20,000 files, 32 MB, 20 folders deep.`, {
    hint: 'Set the folder of the models alone in ken.yaml.',
  })
