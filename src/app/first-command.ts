import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordStateFolder } from '../kernel/system/record-state-folder.ts'

/** True once for each record in a repository, and never if that cannot be stored: a repeated note is noise. */
export function isFirstCommand(home: string, location: string): boolean {
  try {
    const folder = recordStateFolder(join(home, 'records'), realpathSync(location))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'merge-driver-told'), '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}
