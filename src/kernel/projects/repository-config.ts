import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { formatRepositoryConfig, parseRepositoryConfig, type RepositoryConfig } from '../domain/project/config.ts'
import { writeAtomically } from '../system/atomic-file.ts'
import { readPlainFile } from '../system/plain-file.ts'

const LARGEST = 64 * 1024

export interface FoundConfig {
  readonly config: RepositoryConfig
  readonly repository: string
  /** The folder found: Ken's, or that of a nauro project, which is opened in place. */
  readonly kind: '.ken' | '.nauro'
}

/** Walks up from a directory to the first repository that names its project. */
export function findConfig(directory: string): FoundConfig | undefined {
  for (let at = directory; ; at = dirname(at)) {
    for (const kind of ['.ken', '.nauro'] as const) {
      const path = join(at, kind, 'config.json')
      if (isSpecial(path))
        throw new AppError('forbidden', `${path} is not a plain file.`, { hint: 'Remove it, or restore it from git.' })
      if (isPlainFile(join(at, kind), path))
        return {
          config: parseRepositoryConfig(readPlainFile(path, LARGEST)?.toString('utf8') ?? '', path),
          repository: at,
          kind,
        }
    }
    if (dirname(at) === at) return undefined
  }
}

export function writeConfig(repository: string, config: RepositoryConfig): void {
  const folder = join(repository, '.ken')
  const path = join(folder, 'config.json')
  for (const part of [folder, path]) {
    if (existsSync(part) && lstatSync(part).isSymbolicLink()) {
      throw new AppError('forbidden', `${part} is a symbolic link.`, {
        hint: 'Remove the link; Ken writes only real files.',
      })
    }
  }
  writeAtomically(path, formatRepositoryConfig(config))
}

/** Removes the config, and its folder if nothing else is in it. A linked folder belongs to someone else. */
export function removeConfig(repository: string): void {
  const folder = join(repository, '.ken')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return
  rmSync(join(folder, 'config.json'), { force: true })
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** Whether a path is a pipe, socket or device: skipping it would assign the folder to another project. */
function isSpecial(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink()
}

/** False behind a symbolic link, because the config could then be anywhere. */
const isPlainFile = (folder: string, path: string): boolean =>
  existsSync(path) &&
  !lstatSync(folder).isSymbolicLink() &&
  !lstatSync(path).isSymbolicLink() &&
  lstatSync(path).isFile()
