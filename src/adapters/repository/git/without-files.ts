import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { governs } from '../../../core/decision/governs.ts'
import { gitOrThrow } from './git.ts'

/**
 * Patterns that cover no file: a path must be there, ignored by git or not; a glob must match a file that git knows of.
 */
export async function withoutFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const pattern of new Set(patterns)) if (!(await isThere(root, pattern))) missing.push(pattern)
  const globs = missing.filter((pattern) => /[*?[{]/.test(pattern))
  if (globs.length === 0) return missing
  const [known, deleted] = await Promise.all(
    [['--cached', '--others', '--exclude-standard'], ['--deleted']].map((which) => listFiles(root, which)),
  )
  const gone = new Set(deleted)
  const present = known!.filter((path) => !gone.has(path))
  return missing.filter((pattern) => !globs.includes(pattern) || !present.some((path) => governs(pattern, path)))
}

const listFiles = async (root: string, which: readonly string[]): Promise<string[]> =>
  (await gitOrThrow(root, ['ls-files', '-z', ...which])).stdout.split('\0').filter((path) => path !== '')

async function isThere(root: string, pattern: string): Promise<boolean> {
  const path = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
  if (path.includes('\0') || path.split('/').includes('..')) return false
  return lstat(join(root, path)).then(
    () => true,
    () => false,
  )
}
