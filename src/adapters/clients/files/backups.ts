import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { sha256 } from '../../../core/sha256.ts'

const MOST_PER_FILE = 10

export interface Backups {
  /** Copies a file aside, readable by its owner alone, and says where to. */
  keep(path: string): string
}

export function openBackups(folder: string, now: () => Date): Backups {
  return {
    keep(path) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const name = `-${sha256(path).slice(0, 8)}-${basename(path)}`
      const stamp = now().toISOString().replaceAll(/[-:]/g, '').replace('.', '')
      let target = `${folder}/${stamp}${name}`
      for (let again = 2; existsSync(target); again++) target = `${folder}/${stamp}.${again}${name}`
      copyFileSync(path, target, constants.COPYFILE_EXCL)
      chmodSync(target, 0o600)
      for (const old of readdirSync(folder)
        .filter((file) => file.endsWith(name))
        .sort()
        .slice(0, -MOST_PER_FILE))
        rmSync(`${folder}/${old}`, { force: true })
      return target
    },
  }
}
