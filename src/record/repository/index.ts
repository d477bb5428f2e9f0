import { realpathSync, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { governs } from '../domain/decision/governs.ts'
import { parsePatch, type Lines, LONGEST_LINE, MOST_LINES, bounded } from '../domain/guard/parse-patch.ts'
import type { ChangedFile, Commit, Repository } from '../ports/repository.ts'
import { git, gitOrThrow } from './git.ts'

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
    folder: insideOf(root, directory) || '.',
    head: () => commitOf(root, 'HEAD'),
    commits: { named: (revision) => commitNamed(root, revision), lastVersion: () => lastVersion(root) },
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

/** The commit or tree that a diff starts from. */
const startOf = async (root: string, base: string | undefined): Promise<string> =>
  base === undefined ? ((await commitOf(root, 'HEAD')) ?? (await emptyTree(root))) : forkPoint(root, base)

/** Reads a file without following any link in the path; undefined if it can only be read through one. */
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

const VERSION_TAG = /^v?\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.-]{1,30})?$/
const NEWEST_TAGS = 50

async function lastVersion(root: string): Promise<(Commit & { name: string }) | undefined> {
  const answer = await git(root, [
    'for-each-ref',
    '--sort=-creatordate',
    `--count=${NEWEST_TAGS}`,
    '--format=%(refname:strip=2)',
    'refs/tags',
  ])
  const name = answer?.code === 0 ? answer.stdout.split('\n').find((tag) => VERSION_TAG.test(tag)) : undefined
  const commit = name === undefined ? undefined : await commitNamed(root, `refs/tags/${name}`)
  return commit && { ...commit, name: name! }
}

async function commitNamed(root: string, revision: string): Promise<Commit | undefined> {
  const id = await commitOf(root, revision)
  if (id === undefined || !/^[0-9a-f]{40,64}$/.test(id)) return undefined
  // Showing a signature would start another program.
  const answer = await git(root, ['log', '-1', '--no-show-signature', '--no-patch', '--format=%ct', id])
  const seconds = answer?.code === 0 ? Number(answer.stdout.trim()) : NaN
  return Number.isSafeInteger(seconds) ? { id, at: seconds * 1000 } : undefined
}

/** The empty tree, against which everything is an addition. Its id depends on the repository's hash function. */
async function emptyTree(root: string): Promise<string> {
  return (await gitOrThrow(root, ['hash-object', '-t', 'tree', '--stdin'])).stdout.trim()
}

/**
 * The commit where this branch diverged from the other: later commits there are not our change. If they share no
 * history, the revision itself.
 */
async function forkPoint(root: string, base: string): Promise<string> {
  const commit = await commitOf(root, base)
  if (commit === undefined) {
    throw new AppError('not_found', `git has no revision "${base}" here.`, {
      hint: 'Fetch it first (`git fetch origin <branch>`; in CI, check out the full history), or use another revision.',
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

// Oldest first, so that a rename finds the day of the previous name. Showing a signature would start another program.
const LOG = [
  'log',
  '--reverse',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--diff-filter=AR',
  '--name-status',
  '-z',
  '--format=%x01%as',
]

/** The day of the commit that added each file below a folder; empty if git has no such commits. */
async function addedOn(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const below = insideOf(root, folder)
  if (below === undefined) return new Map()
  const answer = await git(root, [...LOG, '--', below === '' ? '.' : below]).catch(() => undefined)
  if (answer?.code !== 0) return new Map()
  const days = readLog(answer.stdout)
  const prefix = below === '' ? '' : `${below}/`
  return new Map(
    [...days].filter(([path]) => path.startsWith(prefix)).map(([path, day]) => [path.slice(prefix.length), day]),
  )
}

function insideOf(root: string, folder: string): string | undefined {
  try {
    const path = relative(realpathSync(root), realpathSync(folder)).split(sep).join('/')
    return path.startsWith('..') || /^[A-Za-z]:/.test(path) ? undefined : path
  } catch {
    return undefined
  }
}

function readLog(output: string): Map<string, string> {
  const days = new Map<string, string>()
  const words = output.split('\0').map((word) => word.replace(/^\n/, ''))
  let day = ''
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word.startsWith('\u0001')) day = word.slice(1)
    else if (word === 'A') days.set(words[++i] ?? '', day)
    else if (/^R[0-9]*$/.test(word)) {
      const [before, after] = [words[++i] ?? '', words[++i] ?? '']
      days.set(after, days.get(before) ?? day)
    }
  }
  return days
}

// Fixed here, so that no user setting changes the output format or runs a program.
const SHAPE = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]
const SUBMODULE = '160000'
const NOTHING: Lines = { added: [], removed: [], cut: false }

/** Changes in the index and the working tree against a commit or tree, with lines if the file is text. */
async function changedFiles(root: string, against: string): Promise<ChangedFile[]> {
  // Two calls: only the list has exact, unquoted names; only the patch has lines.
  const list = await gitOrThrow(root, ['diff', ...SHAPE, '--raw', '-z', against, '--'])
  const lined = ['--unified=0', '--inter-hunk-context=0']
  const patch = await gitOrThrow(root, ['diff', ...SHAPE, ...lined, against, '--'])
  const lines = parsePatch(patch.stdout, patch.cut)
  return parseList(list.stdout).map(({ isSubmodule, ...file }) => ({
    ...file,
    ...(isSubmodule ? NOTHING : (lines.get(file.path) ?? { ...NOTHING, cut: patch.cut })),
  }))
}

type Listed = Pick<ChangedFile, 'path' | 'status' | 'previousPath'> & { readonly isSubmodule: boolean }

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', C: 'added', D: 'deleted', R: 'renamed' }

/** Reads `:modes hashes status NUL path NUL`; renames have two paths, and a file in conflict is listed twice. */
function parseList(raw: string): Listed[] {
  const fields = raw.split('\0')
  const files = new Map<string, Listed>()
  for (let i = 0; i + 1 < fields.length;) {
    const [before, after, , , letter] = fields[i++]!.slice(1).split(' ')
    const hasTwo = letter?.startsWith('R') || letter?.startsWith('C')
    const first = fields[i++]!
    const path = hasTwo ? fields[i++]! : first
    const status = STATUSES[letter?.[0] ?? ''] ?? 'modified'
    files.set(path, {
      path,
      status,
      previousPath: status === 'renamed' ? first : undefined,
      isSubmodule: before === SUBMODULE || after === SUBMODULE,
    })
  }
  return [...files.values()]
}

const MOST_BYTES_PER_FILE = 512 * 1024
const MOST_BYTES = 16 * 1024 * 1024
const UNREAD: Lines = { added: [], removed: [], cut: true }

/** Files neither tracked nor ignored by git, with every line as an addition. */
async function untrackedFiles(root: string): Promise<ChangedFile[]> {
  const { stdout } = await gitOrThrow(root, ['ls-files', '--others', '--exclude-standard', '-z'])
  // A name that ends in a slash is another repository inside this one.
  const paths = stdout.split('\0').filter((path) => path !== '' && !path.endsWith('/'))
  let budget = MOST_BYTES
  return paths.map((path) => {
    const head = budget > 0 ? readHead(join(root, path)) : undefined
    budget -= head?.bytes.length ?? 0
    return { path, status: 'added', previousPath: undefined, ...(head === undefined ? UNREAD : toLines(head)) }
  })
}

interface Head {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

/** Never reads through a symbolic link, or from a pipe or device, which could block forever. */
function readHead(path: string): Head | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const { size } = fstatSync(file)
    if (!fstatSync(file).isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES_PER_FILE))
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)), isWhole: size <= MOST_BYTES_PER_FILE }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function toLines({ bytes, isWhole }: Head): Lines {
  // The same test for binary files as git.
  if (bytes.subarray(0, 8000).includes(0)) return { added: [], removed: [], cut: false }
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const added = lines.slice(0, MOST_LINES).map((text, i) => ({ line: i + 1, text: bounded(text) }))
  return {
    added,
    removed: [],
    cut: !isWhole || lines.length > MOST_LINES || lines.some((line) => line.length > LONGEST_LINE),
  }
}
