import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import type { Commit, Move, RepositoryHistory, Revision, TreeFile } from '../ports/repository-history.ts'
import { git, gitFields } from './git.ts'
import { openObjectReader } from './object-reader.ts'
import { openTrees } from './trees.ts'

const MOST_TEXT = 1024 * 1024
const MOST_READ = 512 * 1024 * 1024
const AT_ONCE = 400
// Showing a signature or using a diff driver would start another program.
const SHAPE = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '-z']
const LOG = ['log', ...SHAPE]
const FORMAT = '--format=%x01%H %cI'
/** Marks content that has no git object. */
const ON_DISK = 'disk:'

/** The history of the repository around a directory; undefined outside one, in a bare one, and without git. */
export async function openRepositoryHistory(directory: string): Promise<RepositoryHistory | undefined> {
  const found = await git(directory, ['rev-parse', '--is-shallow-repository', '--show-toplevel'])
  const [shallow, root = ''] = found?.code === 0 ? found.stdout.split(/\r?\n/) : []
  if (root === '') return undefined
  const objects = openObjectReader(root)
  const trees = openTrees(objects)
  let line: Promise<readonly Commit[]> | undefined
  let now: Promise<readonly TreeFile[]> | undefined
  let left = MOST_READ
  const lineToHead = () => (line ??= readLine(root))

  return {
    isShallow: shallow === 'true',
    line: lineToHead,
    placeOf: async (revision) => placeOf(root, revision, await lineToHead()),
    files: async (at, below) =>
      at === 'now' ? startingWith(await (now ??= workingTree(root)), below) : trees.files(at, below),
    async texts(contents) {
      const texts = new Map<string, string>()
      const wanted = [...new Set(contents)]
      for (let from = 0; from < wanted.length && left > 0; from += AT_ONCE) {
        const part = wanted.slice(from, from + AT_ONCE)
        const read = await objects.read(part, MOST_TEXT)
        part.forEach((content, i) => {
          const bytes = content.startsWith(ON_DISK) ? onDisk(root, content.slice(ON_DISK.length)) : read[i]
          left -= bytes?.length ?? 0
          const text = bytes === undefined ? undefined : plainText(bytes)
          if (text !== undefined) texts.set(content, text)
        })
      }
      return texts
    },
    moves: (since) => readMoves(root, since),
    revisions: (isWanted) => readRevisions(root, isWanted),
    close: objects.close,
  }
}

async function readLine(root: string): Promise<readonly Commit[]> {
  const answer = await git(root, [...LOG, '--first-parent', '--format=%H %cI', 'HEAD', '--'])
  const fields = answer?.code === 0 ? answer.stdout.split('\0').filter((field) => field !== '') : []
  return fields.map(toCommit).toReversed()
}

const toCommit = (text: string): Commit => {
  const [id = '', at = ''] = text.trim().split(' ')
  return { id, at: new Date(at).toISOString() }
}

async function placeOf(root: string, revision: string, line: readonly Commit[]): Promise<number | undefined> {
  if (/[\0\n]/.test(revision) || line.length === 0) return undefined
  const named = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  if (named?.code !== 0) return undefined
  const places = new Map(line.map(({ id }, place) => [id, place]))
  const own = places.get(named.stdout.trim())
  if (own !== undefined) return own
  // The fork point: the newest commit of the line that is an ancestor of the revision.
  const shared = await git(root, ['rev-list', '--first-parent', 'HEAD', `^${named.stdout.trim()}`, '--'])
  const since = shared?.code === 0 ? shared.stdout.split('\n').filter((id) => id !== '') : []
  const place = line.length - since.length - 1
  return place < 0 ? undefined : place
}

/** Tracked files, from the index or from the disk if that differs, and new files. */
async function workingTree(root: string): Promise<readonly TreeFile[]> {
  const list = async (...which: string[]): Promise<string[]> => {
    const answer = await git(root, ['ls-files', '-z', ...which])
    return answer?.code === 0 ? answer.stdout.split('\0').filter((field) => field !== '') : []
  }
  const [staged, deleted, changed, others] = await Promise.all([
    list('--stage'),
    list('--deleted'),
    list('--modified'),
    list('--others', '--exclude-standard'),
  ])
  const gone = new Set(deleted)
  const dirty = new Set(changed)
  const files = new Map<string, string>()
  for (const entry of staged) {
    const [, mode, id, path] = /^(\d+) ([0-9a-f]+) \d\t([\s\S]*)$/.exec(entry) ?? []
    if (path === undefined || !mode!.startsWith('100') || gone.has(path)) continue
    files.set(path, dirty.has(path) ? ON_DISK + path : id!)
  }
  // A name that ends in a slash is another repository inside this one.
  for (const path of others) if (!path.endsWith('/')) files.set(path, ON_DISK + path)
  return [...files].map(([path, content]) => ({ path, content })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Reads a file without following any link in the path. */
function onDisk(root: string, path: string): Buffer | undefined {
  try {
    return openBoundedFolder(root).read(path, MOST_TEXT)
  } catch {
    return undefined
  }
}

const LARGE_STORAGE = 'version https://git-lfs.github.com/'

function plainText(bytes: Buffer): string | undefined {
  const text = bytes.includes(0) ? undefined : bytes.toString('utf8')
  return text?.startsWith(LARGE_STORAGE) === true ? undefined : text
}

/** Files at or below a path; files are sorted by path, so these are adjacent. */
function startingWith(files: readonly TreeFile[], below: string): readonly TreeFile[] {
  if (below === '') return files
  const first = (prefix: string): number => {
    let [from, to] = [0, files.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (files[middle]!.path < prefix) from = middle + 1
      else to = middle
    }
    return from
  }
  const own = files[first(below)]
  return [...(own?.path === below ? [own] : []), ...files.slice(first(`${below}/`), first(`${below}0`))]
}

async function readMoves(root: string, since: string | undefined): Promise<readonly Move[]> {
  const range = since === undefined ? 'HEAD' : `${since}..HEAD`
  const args = ['--topo-order', '--find-renames=40%', '--diff-filter=RD', '--name-status', FORMAT]
  const moves: Move[] = []
  await readLog(root, [...LOG, ...args, '--end-of-options', range, '--'], ({ commit, letter, paths }) => {
    moves.push({ commit, from: paths[0]!, to: letter === 'R' ? paths[1] : undefined })
  })
  return moves.toReversed()
}

async function readRevisions(root: string, isWanted: (path: string) => boolean): Promise<readonly Revision[]> {
  const args = ['--first-parent', '--diff-merges=first-parent', '--no-renames', '--raw', '--no-abbrev', FORMAT]
  const revisions: Revision[] = []
  await readLog(root, [...LOG, ...args, 'HEAD', '--'], ({ commit, letter, mode, id, paths }) => {
    if (!isWanted(paths[0]!)) return
    revisions.push({ commit, path: paths[0]!, content: letter === 'D' || !mode.startsWith('100') ? undefined : id })
  })
  return revisions.toReversed()
}

interface Logged {
  readonly commit: Commit
  readonly letter: string
  readonly mode: string
  readonly id: string
  readonly paths: readonly string[]
}

/** Parses the `-z` output of `--raw` and `--name-status`, newest first; a path may contain anything but NUL. */
async function readLog(root: string, args: readonly string[], take: (logged: Logged) => void): Promise<void> {
  let commit: Commit | undefined
  let header: Omit<Logged, 'commit' | 'paths'> | undefined
  let paths: string[] = []
  await gitFields(root, args, (raw) => {
    if (header !== undefined) {
      paths.push(raw)
      if (paths.length < (header.letter === 'R' || header.letter === 'C' ? 2 : 1)) return
      take({ commit: commit!, ...header, paths })
      ;[header, paths] = [undefined, []]
      return
    }
    const field = raw.replace(/^\n/, '')
    if (field.startsWith('\u0001')) commit = toCommit(field.slice(1))
    else if (field !== '' && commit !== undefined) {
      const [, mode = '', , id = '', status = field] = field.startsWith(':') ? field.slice(1).split(' ') : []
      header = { letter: status[0]!, mode, id }
    }
  })
}
