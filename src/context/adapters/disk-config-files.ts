import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { openBoundedFolder, type BoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import type { ConfigFiles, ConfigTexts } from '../ports/config-files.ts'

const LARGEST = 1024 * 1024
const NAMES = { ignored: '.gitignore', env: '.env', yaml: 'ken.yaml' } as const

/** `locks` is a folder of the user, so that a clone cannot contain a lock. */
export function openConfigFiles(locks: string): ConfigFiles {
  const lockOf = (root: string): string => join(locks, `${sha256(root).slice(0, 16)}.config-lock`)
  return {
    async change(root, edit) {
      return withLock(lockOf(root), () => {
        const now = { yaml: read(root, 'yaml'), env: read(root, 'env'), ignored: read(root, 'ignored') }
        if (now.yaml === undefined) throw noPlainFile(NAMES.yaml)
        const { write, result } = edit({ yaml: now.yaml, env: now.env ?? '', ignored: now.ignored ?? '' })
        const files = (Object.keys(NAMES) as (keyof ConfigTexts)[]).filter((file) => write[file] !== undefined)
        for (const file of files) if (now[file] === undefined) throw noPlainFile(NAMES[file])
        // ken.yaml is last: it refers to the other files.
        for (const file of files) save(join(root, NAMES[file]), write[file]!, file === 'env' ? 0o600 : undefined)
        return result
      })
    },
    async changeText(root, path, edit) {
      return withLock(lockOf(root), () => {
        const folder = openBoundedFolder(root)
        const { write, result } = edit(readText(folder, path))
        if (write === null) folder.remove(path)
        else if (write !== undefined) replaceText(folder, path, write)
        return result
      })
    },
    async writeText(root, path, text) {
      replaceText(openBoundedFolder(root), path, text)
    },
  }
}

/** Reads a text; throws for invalid UTF-8, which would not round-trip. */
function readText(folder: BoundedFolder, path: string): string | undefined {
  const bytes = folder.read(path, LARGEST)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AppError('forbidden', `${path} is not UTF-8 text.`, { hint: 'Save it as UTF-8.' })
  }
}

/** Replaces a text by a rename, so that a reader finds either the old or the new text. */
function replaceText(folder: BoundedFolder, path: string, text: string): void {
  const mode = folder.stat(path)?.mode
  const at = path.lastIndexOf('/') + 1
  const temporary = `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(8).toString('hex')}.tmp`
  try {
    folder.create(temporary, text, mode === undefined ? undefined : mode & 0o7777)
    folder.move(temporary, path)
    folder.sync(path.slice(0, Math.max(0, at - 1)))
  } catch (error) {
    folder.remove(temporary)
    if (error instanceof AppError) throw error
    throw unwritten(path, error)
  }
}

/** Reads a file; empty if missing, undefined if it is a link, not a file, or too large to be hand-written. */
function read(root: string, file: keyof ConfigTexts): string | undefined {
  const path = join(root, NAMES[file])
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return ''
  return readPlainFile(path, LARGEST)?.toString('utf8')
}

function save(path: string, text: string, mode: number | undefined): void {
  try {
    writeAtomically(path, text, mode)
  } catch (error) {
    throw unwritten(path, error)
  }
}

const unwritten = (path: string, error: unknown): AppError =>
  new AppError('unavailable', `${path} cannot be written: ${(error as Error).message.split(',')[0]}.`, {
    hint: 'Check the permissions of the folder.',
    cause: error,
  })

const noPlainFile = (name: string): AppError =>
  new AppError('forbidden', `${name} is a link, or not a file that Ken writes.`, {
    hint: 'Make it a plain file in this folder.',
  })
