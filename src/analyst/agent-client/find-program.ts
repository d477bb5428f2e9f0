import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export interface ProgramQuery {
  readonly program: string
  /** Folders below the user's home that its installers use. */
  readonly places: readonly string[]
  readonly home: string
  readonly path: string | undefined
}

const USUAL = ['.local/bin', '.npm-global/bin', '.bun/bin', '.volta/bin', 'bin']
const SHARED = ['/opt/homebrew/bin', '/usr/local/bin']

/**
 * The installed program: on PATH, or in an installer's folder that a desktop's PATH lacks. A relative part of PATH
 * means the folder that Ken was started in, which may be untrusted.
 */
export function findProgram({ program, places, home, path }: ProgramQuery): string | undefined {
  const folders = [
    ...(path ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
    ...[...places, ...USUAL].map((folder) => join(home, folder)),
    ...SHARED,
  ]
  // A cmd.exe script cannot be started without a shell.
  const name = process.platform === 'win32' ? `${program}.exe` : program
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
