import { readFileSync, rmSync } from 'node:fs'
import { AppError } from '../../kernel/domain/errors.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'

/** A file for the service manager. A file that Ken did not write is neither replaced nor removed. */
export function openServiceFile(path: string, mark: string) {
  const text = (): string | undefined => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  }
  const own = (): string | undefined => {
    const found = text()
    if (found !== undefined && !found.includes(mark))
      throw new AppError('conflict', `${path} already exists and was not written by Ken.`, {
        hint: 'Move it away, then run the command again.',
      })
    return found
  }
  return {
    path,
    isThere: (): boolean => own() !== undefined,
    /** False if the file already has this text. */
    write(wanted: string): boolean {
      if (own() === wanted) return false
      writeAtomically(path, wanted, 0o600)
      return true
    },
    remove(): boolean {
      if (own() === undefined) return false
      rmSync(path)
      return true
    },
  }
}
