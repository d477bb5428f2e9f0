import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** A hash of files and folders of the repository; changes with any of them. */
export function sourceMark(sources: readonly string[]): string {
  const files = sources.flatMap((source) => {
    const path = join(ROOT, source)
    if (statSync(path).isFile()) return [path]
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
  })
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${file} ${statSync(file).mtimeMs}\n`)
  return hash.digest('hex').slice(0, 16)
}
