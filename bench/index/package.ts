import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dirname, '../..')

/** Ken as npm gives it to its users, compiled and without its sources. Gives the path of the command. */
export function buildPackage(folder: string): string {
  mkdirSync(folder, { recursive: true })
  execFileSync(
    process.execPath,
    [
      join(REPOSITORY, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(REPOSITORY, 'tsconfig.build.json'),
      '--outDir',
      join(folder, 'dist'),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  for (const name of ['bin', 'package.json']) cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true })
  for (const name of ['models', 'node_modules']) symlinkSync(join(REPOSITORY, name), join(folder, name), 'dir')
  return join(folder, 'bin/ken.js')
}
