import { compileGlob } from '../glob.ts'

/** Whether a `files_affected` entry covers a file: the file itself, a folder above it, or a glob. */
export function governs(pattern: string, file: string): boolean {
  const path = clean(pattern)
  const target = clean(file)
  if (path === '' || target === '') return false
  if (path === target || target.startsWith(`${path}/`)) return true
  return /[*?[{]/.test(path) && (compileGlob(path)?.(target) ?? false)
}

const clean = (path: string): string => path.trim().replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
