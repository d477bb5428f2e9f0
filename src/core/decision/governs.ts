import { compileGlob } from '../glob.ts'

// No path is longer; what a clone brings may be.
const LONGEST = 4_096

/** Whether a `files_affected` entry covers a file: the file itself, a folder above it, or a glob. */
export function governs(pattern: string, file: string): boolean {
  if (pattern.length > LONGEST || file.length > LONGEST) return false
  const path = clean(pattern)
  const target = clean(file)
  if (path === '' || target === '') return false
  if (path === target || target.startsWith(`${path}/`)) return true
  return /[*?[{]/.test(path) && (compileGlob(path)?.(target) ?? false)
}

const clean = (path: string): string =>
  path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
