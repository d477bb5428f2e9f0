import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../../core/errors.ts'

/** Throws when the file, or below `within` any folder on the way to it, is a symbolic link or not what it should be. */
export function refuseLinks(path: string, within: string | undefined): void {
  for (const part of within === undefined ? [path] : partsBelow(within, path)) {
    const found = lstatSync(part, { throwIfNoEntry: false })
    if (found?.isSymbolicLink())
      throw refused(
        path,
        `${part === path ? 'it' : part} is a symbolic link`,
        'Put a real file there, or make the change by hand.',
      )
    if (part === path && found !== undefined && !found.isFile())
      throw refused(path, 'it is not a file', 'Move it aside, then run this again.')
  }
}

const refused = (path: string, why: string, hint: string): AppError =>
  new AppError('forbidden', `${path} was left alone: ${why}.`, { hint })

function partsBelow(within: string, path: string): string[] {
  const names = relative(within, path).split(sep)
  if (names[0] === '..') throw new AppError('forbidden', `${path} lies outside of ${within}.`)
  return names.map((_, depth) => join(within, ...names.slice(0, depth + 1)))
}
