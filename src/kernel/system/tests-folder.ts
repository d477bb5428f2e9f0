import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/**
 * Whether a path is, or is in, a folder of test cases: `tests` beside a ken.yaml, or `.ken/tests`. They contain the
 * expected answers, so they are hidden from agents. `path` is a real path; names are compared case-insensitively,
 * because the disk may be case-insensitive. With `below`, folders above it do not count.
 */
export function isInTests(path: string, below = ''): boolean {
  const parts = path.slice(below.length).split(sep)
  return parts.some((name, i) => name.toLowerCase() === 'tests' && isTests(below + parts.slice(0, i + 1).join(sep)))
}

function isTests(folder: string): boolean {
  const parent = dirname(folder)
  return parent.toLowerCase().endsWith(`${sep}.ken`) || existsSync(join(parent, 'ken.yaml'))
}
