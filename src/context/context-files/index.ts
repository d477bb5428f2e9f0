import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import type { Redacted } from '../../kernel/ports/redactor.ts'
import { isAbsent } from '../../kernel/system/file-mark.ts'
import { readIgnoreFile } from '../../kernel/system/ignore-file.ts'
import { isInTests } from '../../kernel/system/tests-folder.ts'
import { protectedReason, TESTS_REASON } from '../domain/context-project/protected-path.ts'
import type { ContextFile, ContextFiles } from '../ports/context-files.ts'
import { grepFolder, isBinary, SKIPPED_FOLDERS } from './grep.ts'

const LARGEST = 10 * 1024 * 1024
const LONGEST_SEARCH_MS = 20_000

/** The compiled files of a context project, for reading, listing and searching. */
export function openContextFiles(
  folder: string,
  redact: (text: string) => Promise<Redacted>,
  milliseconds = LONGEST_SEARCH_MS,
): ContextFiles {
  const rules = async (): Promise<(path: string) => string | undefined> => {
    const ignored = readIgnoreFile(join(folder, '.kenignore'))
    if (ignored === undefined)
      throw new AppError('damaged', '.kenignore is not a plain file, or longer than Ken reads, so nothing is shown.', {
        hint: 'Make it a plain file of less than 256 KB.',
      })
    return (path) =>
      protectedReason(path) ??
      (isInTests(join(folder, path), folder) ? TESTS_REASON : undefined) ??
      (ignored.ignores(path) ? '.kenignore keeps it back' : undefined)
  }
  return {
    list: async (below) => walk(folder, below, await rules()).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    async read(path) {
      const place = await locate(folder, path, await rules())
      const found = await stat(join(folder, place))
      if (!found.isFile() && !found.isDirectory())
        throw new AppError('forbidden', `${path} is not a plain file.`, {
          hint: 'Remove it, or put a plain file there.',
        })
      if (!found.isFile())
        throw new AppError('invalid_input', `${path} is a folder.`, {
          hint: `List it with ${operationNamed('list_files')}.`,
        })
      if (found.size > LARGEST)
        throw new AppError('invalid_input', `${path} is larger than 10 MB.`, {
          hint: `Search it with ${operationNamed('grep_files')}.`,
        })
      const bytes = await readFile(join(folder, place))
      if (isBinary(bytes))
        throw new AppError('invalid_input', `${path} is not text.`, {
          hint: `Databases are read with ${operationNamed('execute_sql')}.`,
        })
      return (await redact(bytes.toString('utf8'))).text
    },
    async grep(search, signal) {
      const hiddenBecause = await rules()
      return grepFolder(
        {
          folder,
          isShown: (path) =>
            isListed(path, hiddenBecause) && foldersOf(path).every((above) => hiddenBecause(above) === undefined),
          redact,
          milliseconds,
          signal,
        },
        search,
      )
    },
  }
}

/** Resolves a requested path inside the project, following links. */
async function locate(
  folder: string,
  path: string,
  hiddenBecause: (path: string) => string | undefined,
): Promise<string> {
  const asked = inside(folder, resolve(folder, path))
  if (asked === undefined)
    throw new AppError('forbidden', `${path} is outside the context project.`, {
      hint: `Use a path relative to the project, as listed by ${operationNamed('list_files')}.`,
    })
  const real = await realpath(join(folder, asked)).catch((error: unknown) => {
    // No file system accepts a NUL in a name.
    if (isAbsent(error) || path.includes('\0'))
      throw new AppError('not_found', notFound('File', path), {
        hint: `Find it with ${operationNamed('list_files')} or ${operationNamed('search_files')}.`,
      })
    throw error
  })
  const place = inside(await realpath(folder), real)
  if (place === undefined)
    throw new AppError('forbidden', `${path} is a link that leads out of the project.`, {
      hint: `Use a path relative to the project, as listed by ${operationNamed('list_files')}.`,
    })
  const reason = (asked === '' ? undefined : hiddenBecause(asked)) ?? (place === '' ? undefined : hiddenBecause(place))
  if (reason !== undefined)
    throw new AppError('forbidden', `${path} may not be read: ${reason}.`, {
      hint: 'Ask the user for what you need from it.',
    })
  return place
}

function inside(folder: string, full: string): string | undefined {
  const path = relative(folder, full)
  return path.startsWith('..') || resolve(folder, path) !== full ? undefined : path.split(sep).join('/')
}

/** Lists files. Links are not followed: their targets are listed under their own names, or not at all. */
function walk(folder: string, below: string, hiddenBecause: (path: string) => string | undefined): ContextFile[] {
  const found: ContextFile[] = []
  const visit = (at: string): void => {
    for (const entry of entriesOf(join(folder, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name) && hiddenBecause(path) === undefined) visit(path)
      } else if (entry.isFile() && isListed(path, hiddenBecause)) {
        const bytes = statSync(join(folder, path), { throwIfNoEntry: false })?.size
        if (bytes !== undefined) found.push({ path, bytes })
      }
    }
  }
  if (below === '' || isReal(folder, below)) visit(below)
  return found
}

const isListed = (path: string, hiddenBecause: (path: string) => string | undefined): boolean =>
  !/\.[0-9a-f]{12}\.tmp$/.test(path) && hiddenBecause(path) === undefined

const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_name, i, parts) => parts.slice(0, i + 1).join('/'))

/** Whether a folder exists without a link on the way. */
function isReal(folder: string, below: string): boolean {
  try {
    return realpathSync.native(join(folder, below)) === join(realpathSync.native(folder), below)
  } catch {
    return false
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
