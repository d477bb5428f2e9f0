import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { governs } from '../domain/decision/governs.ts'
import type { ChangedFile, Commit, Repository } from '../ports/repository.ts'
import { addedOn } from './added-on.ts'
import { changedFiles } from './changed-files.ts'
import { git, gitOrThrow } from './git.ts'
import { untrackedFiles } from './untracked-files.ts'

/**
 * The git repository around a directory, through the `git` program; undefined outside one, in a bare one, and without
 * git.
 */
export async function openRepository(directory: string): Promise<Repository | undefined> {
  const found = await git(directory, ['rev-parse', '--show-toplevel'])
  const root = found?.code === 0 ? found.stdout.replace(/\r?\n$/, '') : ''
  if (root === '') return undefined

  return {
    root,
    head: () => commitOf(root, 'HEAD'),
    commits: { named: (revision) => commitNamed(root, revision) },
    async diff(base): Promise<readonly ChangedFile[]> {
      const changed = await changedFiles(root, await startOf(root, base))
      return [...changed, ...(await untrackedFiles(root))].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    async text(path, at) {
      if (at === 'now') return plainText(readInside(root, path))
      const blob = await git(root, ['cat-file', 'blob', `${await startOf(root, at.base)}:${path}`])
      return blob?.code === 0 && !blob.cut ? plainText(blob.stdout) : undefined
    },
    addedOn: (folder) => addedOn(root, folder),
    isTracked: async (path) => (await git(root, ['ls-files', '--error-unmatch', '-z', '--', path]))?.code === 0,
    withoutFiles: (patterns) => withoutFiles(root, patterns),
    async setting(key) {
      const answer = await git(root, ['config', '--get', key])
      return answer?.code === 0 ? answer.stdout.replace(/\r?\n$/, '') : undefined
    },
    async configure(key, value) {
      if (value !== undefined) await gitOrThrow(root, ['config', '--local', key, value])
      else await gitOrThrow(root, ['config', '--local', '--unset-all', key], NOTHING_TO_UNSET)
    },
  }
}

const NOTHING_TO_UNSET = 5
const MOST_TEXT = 1024 * 1024

/** The base of a diff. */
const startOf = async (root: string, base: string | undefined): Promise<string> =>
  base === undefined ? ((await commitOf(root, 'HEAD')) ?? (await emptyTree(root))) : forkPoint(root, base)

/** Follows no link anywhere in the path; returns undefined for what can only be read through one. */
function readInside(root: string, path: string): string | undefined {
  try {
    return openBoundedFolder(root).read(path, MOST_TEXT)?.toString('utf8')
  } catch {
    return undefined
  }
}

const plainText = (text: string | undefined): string | undefined =>
  text === undefined || text.length > MOST_TEXT || text.includes('\0') ? undefined : text

async function commitOf(root: string, revision: string): Promise<string | undefined> {
  if (revision.includes('\0')) return undefined
  const answer = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  return answer?.code === 0 ? answer.stdout.trim() : undefined
}

async function commitNamed(root: string, revision: string): Promise<Commit | undefined> {
  const id = await commitOf(root, revision)
  if (id === undefined || !/^[0-9a-f]{40,64}$/.test(id)) return undefined
  // A signature would start another program.
  const answer = await git(root, ['log', '-1', '--no-show-signature', '--no-patch', '--format=%ct', id])
  const seconds = answer?.code === 0 ? Number(answer.stdout.trim()) : NaN
  return Number.isSafeInteger(seconds) ? { id, at: seconds * 1000 } : undefined
}

/** The base that makes everything an addition. Its id depends on the repository's hash function. */
async function emptyTree(root: string): Promise<string> {
  return (await gitOrThrow(root, ['hash-object', '-t', 'tree', '--stdin'])).stdout.trim()
}

/**
 * The point where this branch left the other one: later commits there are not our change. The revision itself if they
 * share no history.
 */
async function forkPoint(root: string, base: string): Promise<string> {
  const commit = await commitOf(root, base)
  if (commit === undefined) {
    throw new AppError('not_found', `git knows no revision "${base}" here.`, {
      hint: 'Fetch it first (`git fetch origin <branch>`; in CI, check out with the full history), or name another one.',
    })
  }
  const shared = await git(root, ['merge-base', commit, 'HEAD'])
  return shared?.code === 0 ? shared.stdout.trim() : commit
}

/** Patterns without a file: a path must exist, ignored by git or not; a glob must match a file known to git. */
async function withoutFiles(root: string, patterns: readonly string[]): Promise<string[]> {
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
