import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
export const VENDORS = join(ROOT, 'test/vendors')
const FOLDERS = ['src', 'test'].map((folder) => join(ROOT, folder, 'node_modules'))

/** Links the packages of test/vendors into node_modules of `src` and `test`; returns a function that unlinks them. */
export default function linkVendors(): () => void {
  if (!existsSync(join(VENDORS, 'node_modules'))) {
    console.warn(
      'The packages of test/vendors are not installed; suites that need them will say so. `npm run vendors` installs them.',
    )
    return () => undefined
  }
  const { dependencies } = JSON.parse(readFileSync(join(VENDORS, 'package.json'), 'utf8')) as { dependencies: object }
  unlinkVendors()
  // Links packages one by one: their dependencies must not replace those of Ken itself.
  for (const name of Object.keys(dependencies))
    for (const folder of FOLDERS) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      symlinkSync(join(VENDORS, 'node_modules', name), join(folder, name), 'junction')
    }
  return unlinkVendors
}

export function unlinkVendors(): void {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true })
}
