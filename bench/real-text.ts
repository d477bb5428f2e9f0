import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const PATTERNS = {
  prose: ['docs/**/*.md', '*.md', 'node_modules/**/*.{md,markdown}'],
  code: ['{src,test,bench,web}/**/*.ts', 'node_modules/**/*.{ts,mts,mjs,js}'],
}
const LARGEST = 512 * 1024
// A longer average means generated or minified lines.
const LONGEST_LINES = 160

/**
 * Text written by people, from this repository and its installed packages: each file once, in order of path, up to
 * `most` characters.
 */
export function* realTexts(kind: keyof typeof PATTERNS, most: number): Generator<string> {
  const seen = new Set<string>()
  let size = 0
  for (const path of PATTERNS[kind].flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort())) {
    const file = statSync(join(ROOT, path), { throwIfNoEntry: false })
    if (file?.isFile() !== true || file.size > LARGEST) continue
    const text = readFileSync(join(ROOT, path), 'utf8')
    const hash = createHash('sha256').update(text).digest('base64')
    if (seen.has(hash) || text.length > LONGEST_LINES * text.split('\n').length) continue
    seen.add(hash)
    yield text
    size += text.length
    if (size >= most) return
  }
}
