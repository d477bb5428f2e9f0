import { AppError } from '../../kernel/domain/errors.ts'
import { isPlainPath } from '../../kernel/domain/plain-path.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { GitTree, TreeFile } from '../ports/git-trees.ts'
import type { HardenedGit } from './hardened-git.ts'

export interface TreeBounds {
  readonly files: number
  readonly fileBytes: number
  readonly bytes: number
}

const MOST_LEFT = 50
const MOST_LISTED = 16 * 1024 * 1024

interface Entry {
  readonly mode: string
  readonly id: string
  readonly size: number
  readonly path: string
}

/** Files below a folder of a commit, read from git's objects: nothing is checked out, so no filter or link applies. */
export async function treeFiles(
  git: HardenedGit,
  { commit, folder }: { readonly commit: string; readonly folder: string },
  bounds: TreeBounds,
): Promise<Pick<GitTree, 'files' | 'left'>> {
  const entries = await listed(git, folder === '' ? commit : `${commit}:${folder}`)
  const left = entries.flatMap(({ path, mode }) => {
    const why = leftOut(path, mode)
    return why === undefined ? [] : [{ path: visibleLine(path).slice(0, 200), why }]
  })
  const taken = entries.filter(({ path, mode }) => leftOut(path, mode) === undefined)
  assertWithin(taken, bounds)
  return { files: await contents(git, taken, bounds), left: left.slice(0, MOST_LEFT) }
}

/** Parses `100644 blob <id> <size>\t<path>`, terminated by NUL. */
async function listed(git: HardenedGit, tree: string): Promise<readonly Entry[]> {
  const text = (await git.run(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], { most: MOST_LISTED })).toString(
    'utf8',
  )
  return text.split('\0').flatMap((line) => {
    const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s.exec(line) ?? []
    return path === undefined ? [] : [{ mode: mode!, id: id!, size: size === '-' ? 0 : Number(size), path }]
  })
}

function leftOut(path: string, mode: string): string | undefined {
  if (mode === '120000') return 'a symbolic link'
  if (mode === '160000') return 'a submodule'
  if (mode !== '100644' && mode !== '100755' && mode !== '100664') return 'not a file'
  return /(?:^|\/)\.env(?:\.[^/]*)?$/i.test(path)
    ? 'an environment file; what it sets belongs to the server'
    : undefined
}

function assertWithin(entries: readonly Entry[], { files, fileBytes, bytes }: TreeBounds): void {
  if (entries.length > files) throw tooMuch(`The context has ${entries.length} files; ${files} may be taken.`)
  const odd = entries.find(({ path }) => !isPlainPath(path))
  if (odd !== undefined)
    throw tooMuch('A path of the repository leads elsewhere, or cannot be a file everywhere.', odd.path)
  const twice = sharedPath(entries)
  if (twice !== undefined) throw tooMuch('Two files of the repository have one path.', twice)
  const large = entries.find(({ size }) => size > fileBytes)
  if (large !== undefined)
    throw tooMuch(`The file ${visibleLine(large.path)} is larger than ${megabytes(fileBytes)}.`, large.path)
  const sum = entries.reduce((all, { size }) => all + size, 0)
  if (sum > bytes) throw tooMuch(`The context has ${megabytes(sum)}; ${megabytes(bytes)} may be taken.`)
}

/** A path that occurs twice, or as both file and folder. A crafted tree may contain one, but no file system can. */
function sharedPath(entries: readonly Entry[]): string | undefined {
  // With NUL, a file sorts directly before everything in a folder with the same name.
  const ordered = entries.map(({ path }) => path.replaceAll('/', '\0')).sort()
  return ordered
    .find((path, at) => ordered[at + 1] === path || ordered[at + 1]?.startsWith(`${path}\0`))
    ?.replaceAll('\0', '/')
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MB`

const tooMuch = (message: string, path?: string): AppError =>
  new AppError('invalid_input', message, {
    hint: 'Remove it from the repository, or use a subfolder.',
    ...(path !== undefined && { details: { path } }),
  })

/** Reads all blobs in one process; `<id> blob <size>\n<bytes>\n` for each, in the order requested. */
async function contents(
  git: HardenedGit,
  entries: readonly Entry[],
  { bytes }: TreeBounds,
): Promise<readonly TreeFile[]> {
  if (entries.length === 0) return []
  const said = await git.run(['cat-file', '--batch'], {
    input: entries.map(({ id }) => `${id}\n`).join(''),
    most: bytes + entries.length * 100,
  })
  let at = 0
  return entries.map(({ path, id, size }) => {
    const head = `${id} blob ${size}\n`
    const from = at + head.length
    at = from + size + 1
    if (said.toString('latin1', from - head.length, from) !== head || said.length < at)
      throw new AppError('unavailable', 'git did not return a file that it listed.', { details: { path } })
    return { path, bytes: said.subarray(from, from + size) }
  })
}
