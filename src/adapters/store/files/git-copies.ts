import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { UNLED_GIT } from '../../unled-git.ts'

const PATIENCE_MS = 20_000
const MOST_OUTPUT = 64 * 1024 * 1024
const MOST_COMMITS = 500

/** The bytes of a file of the record in the commit that is checked out; undefined where git has none. */
export const committed = (root: string, path: string): Promise<Buffer | undefined> =>
  git(root, ['cat-file', 'blob', `HEAD:./${path}`])

/** The bytes of a file of the record as the next commit would have them. */
export const staged = (root: string, path: string): Promise<Buffer | undefined> =>
  git(root, ['cat-file', 'blob', `:./${path}`])

/**
 * Tells whether files of the record are exactly as git has them, in the commit that is checked out or staged; an absent
 * file is when git has none either.
 */
export async function openGitStates(root: string): Promise<(path: string, bytes: Uint8Array | undefined) => boolean> {
  const [tree, index] = await Promise.all([
    git(root, ['ls-tree', '-r', '-z', '--full-name', 'HEAD', './']),
    git(root, ['ls-files', '-s', '-z', '--full-name', '--', '.']),
  ])
  const prefix = (await git(root, ['rev-parse', '--show-prefix']))?.toString('utf8').trimEnd()
  if (tree === undefined || index === undefined || prefix === undefined) return () => false
  const ids = [tree, index].map((listed) => new Map(parseListing(listed, prefix)))
  return (path, bytes) => ids.some((known) => (bytes === undefined ? !known.has(path) : isBlob(bytes, known.get(path))))
}

function parseListing(listed: Buffer, prefix: string): [path: string, id: string][] {
  return listed
    .toString('utf8')
    .split('\0')
    .flatMap((entry) => {
      const [, id, path] = /^\d+ (?:blob )?([0-9a-f]{40,64})(?: \d)?\t([\s\S]+)$/.exec(entry) ?? []
      return id === undefined || !path!.startsWith(prefix) ? [] : [[path!.slice(prefix.length), id] as [string, string]]
    })
}

function isBlob(bytes: Uint8Array, id: string | undefined): boolean {
  if (id === undefined) return false
  return (
    createHash(id.length === 40 ? 'sha1' : 'sha256')
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest('hex') === id
  )
}

/** Every state of a file that git's history holds, newest first, with the commit it is in. */
export async function* pastStates(root: string, path: string): AsyncGenerator<{ commit: string; bytes: Buffer }> {
  const commits =
    (await git(root, ['rev-list', '--all', `-n${MOST_COMMITS}`, '--', path]))?.toString('utf8').split('\n') ?? []
  for (const commit of commits.filter((line) => /^[0-9a-f]{40,64}$/.test(line))) {
    const bytes = await git(root, ['cat-file', 'blob', `${commit}:./${path}`])
    if (bytes !== undefined) yield { commit, bytes }
  }
}

function git(root: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      ['-C', root, ...UNLED_GIT, ...args],
      { maxBuffer: MOST_OUTPUT, timeout: PATIENCE_MS, windowsHide: true, encoding: 'buffer' },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    )
    child.on('error', () => resolve(undefined))
    child.stdin?.on('error', () => {})
    child.stdin?.end()
  })
}
