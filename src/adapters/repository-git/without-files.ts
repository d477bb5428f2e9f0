import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { governs } from '../../core/decision/governs.ts'
import { gitOrThrow } from './git.ts'

/** Patterns that cover no file: neither one that git knows of, nor, for a plain path, one that it ignores. */
export async function withoutFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0) return []
  const [known, deleted] = await Promise.all([['--cached', '--others', '--exclude-standard'], ['--deleted']].map((which) => listFiles(root, which)))
  const gone = new Set(deleted)
  const present = known!.filter((path) => !gone.has(path))
  const empty: string[] = []
  for (const pattern of new Set(patterns)) {
    if (!present.some((path) => governs(pattern, path)) && !(await isThere(root, pattern))) empty.push(pattern)
  }
  return empty
}

const listFiles = async (root: string, which: readonly string[]): Promise<string[]> =>
  (await gitOrThrow(root, ['ls-files', '-z', ...which])).stdout.split('\0').filter((path) => path !== '')

async function isThere(root: string, pattern: string): Promise<boolean> {
  const path = pattern.trim().replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')
  if (path.includes('\0') || path.split('/').includes('..')) return false
  return lstat(join(root, path)).then(() => true, () => false)
}
