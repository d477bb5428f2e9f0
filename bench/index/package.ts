import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleCli } from '../../scripts/bundle-cli.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')

/** Builds Ken as published on npm, bundled and without its sources. Returns the path of the command. */
export async function buildPackage(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await bundleCli(join(folder, 'dist'))
  for (const name of ['bin', 'package.json']) cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true })
  for (const name of ['models', 'node_modules']) symlinkSync(join(REPOSITORY, name), join(folder, name), 'dir')
  return join(folder, 'bin/ken.js')
}
