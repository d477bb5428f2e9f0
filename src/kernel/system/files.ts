import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { inBytes } from '../domain/text.ts'
import type { Files } from '../ports/files.ts'
import { writeAtomically } from './atomic-file.ts'
import { filesBelow } from './files-below.ts'
import { readStdin } from './read-stdin.ts'

const LARGEST = 64 * 1024 * 1024

/** Files named by the user, anywhere on disk. */
export const diskFiles: Files = {
  async read(path) {
    try {
      const found = statSync(path)
      if (found.size > LARGEST)
        throw new AppError('invalid_input', `${path} is larger than 64 MB.`, {
          hint: 'Exclude it: too long to be written by a person.',
        })
      return found.isFile() ? readFileSync(path, 'utf8') : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error instanceof AppError ? error : unreachable(path, error)
    }
  },
  async bytes(path, most) {
    try {
      const found = statSync(path)
      if (found.size > most)
        throw new AppError('invalid_input', `${path} is larger than ${inBytes(most)}.`, { hint: 'Make it smaller.' })
      return found.isFile() ? readFileSync(path) : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error instanceof AppError ? error : unreachable(path, error)
    }
  },
  async folder(path) {
    try {
      return statSync(path).isDirectory() ? realpathSync(path) : undefined
    } catch {
      return undefined
    }
  },
  async list(folder) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) return undefined
    return filesBelow(folder)
      .map((path) => relative(folder, path).split(sep).join('/'))
      .sort()
  },
  async writtenOn(path) {
    return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString().slice(0, 10)
  },
  async write(path, text, { replace }) {
    const there = lstatSync(path, { throwIfNoEntry: false })
    if (there !== undefined && !there.isFile())
      throw new AppError('conflict', `${path} is not a plain file.`, { hint: 'Choose another file.' })
    if (!replace && there !== undefined)
      throw new AppError('conflict', `${path} already exists.`, {
        hint: 'Choose another file, or move that one away.',
      })
    try {
      writeAtomically(path, text)
    } catch (error) {
      throw unreachable(path, error)
    }
  },
  async input() {
    return process.stdin.isTTY ? '' : readStdin()
  },
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

const unreachable = (path: string, error: unknown): AppError =>
  new AppError('unavailable', `${path}: ${(error as Error).message.split(',')[0]}.`, {
    hint: 'Check the path and its permissions.',
    cause: error,
  })
