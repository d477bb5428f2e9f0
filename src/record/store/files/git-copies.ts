import { createHash } from 'node:crypto'
import { runGit } from '../../../kernel/system/git.ts'

const MOST_OUTPUT = 64 * 1024 * 1024
const MOST_COMMITS = 500

/** The bytes of a record file in the checked-out commit; undefined if git has none. */
export const committed = (root: string, path: string): Promise<Buffer | undefined> =>
  git(root, ['cat-file', 'blob', `HEAD:./${path}`])

/** The bytes of a record file as staged for the next commit. */
export const staged = (root: string, path: string): Promise<Buffer | undefined> =>
  git(root, ['cat-file', 'blob', `:./${path}`])

/**
 * Tests whether record files are exactly as in the checked-out commit or staged; an absent file matches if git has none
 * either.
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

/** Every state of a file in git's history, newest first, with its commit. */
export async function* pastStates(root: string, path: string): AsyncGenerator<{ commit: string; bytes: Buffer }> {
  const commits =
    (await git(root, ['rev-list', '--all', `-n${MOST_COMMITS}`, '--', path]))?.toString('utf8').split('\n') ?? []
  for (const commit of commits.filter((line) => /^[0-9a-f]{40,64}$/.test(line))) {
    const bytes = await git(root, ['cat-file', 'blob', `${commit}:./${path}`])
    if (bytes !== undefined) yield { commit, bytes }
  }
}

/**
 * How widely each decision is published, as of the last fetch of this clone: 2 on the main branch of a remote, 1 on the
 * upstream of this branch, 0 only here. A published decision keeps its number.
 */
export async function publishedIn(root: string): Promise<(stem: string) => number> {
  const heads = (await git(root, ['for-each-ref', '--count=50', '--format=%(refname)', 'refs/remotes']))
    ?.toString('utf8')
    .split('\n')
    .filter((name) => /\/(?:HEAD|main|master|trunk)$/.test(name))
  const [main, followed] = await Promise.all([stemsAt(root, heads ?? []), stemsAt(root, ['@{upstream}'])])
  return (stem) => (main.has(stem) ? 2 : followed.has(stem) ? 1 : 0)
}

async function stemsAt(root: string, revisions: readonly string[]): Promise<ReadonlySet<string>> {
  const stems = new Set<string>()
  for (const revision of revisions) {
    const listed = await git(root, ['ls-tree', '-z', '--name-only', revision, './decisions/'])
    for (const path of listed?.toString('utf8').split('\0') ?? [])
      if (path.endsWith('.md')) stems.add(path.slice(path.lastIndexOf('/') + 1, -'.md'.length))
  }
  return stems
}

const MOST_WALKED = 20_000
const LARGEST_BLOB = 16 * 1024 * 1024
const BATCH_BYTES = 32 * 1024 * 1024

/** The bytes of a record file in a commit, by its full hash. */
export const committedIn = async (root: string, path: string, commit: string): Promise<Buffer | undefined> =>
  /^[0-9a-f]{40,64}$/.test(commit) ? git(root, ['cat-file', 'blob', `${commit}:./${path}`]) : undefined

/** Every state of many files in git's history, each once, in a fixed number of calls however many there are. */
export async function* allPastStates(
  root: string,
  paths: ReadonlySet<string>,
): AsyncGenerator<{ path: string; bytes: Buffer }> {
  const [listed, prefix] = await Promise.all([
    git(root, ['rev-list', '--all', '--full-history', '--objects', `-n${MOST_WALKED}`, '--', '.']),
    git(root, ['rev-parse', '--show-prefix']),
  ])
  if (listed === undefined || prefix === undefined) return
  const below = prefix.toString('utf8').trimEnd()
  // The same text may exist under two names.
  const places = new Map<string, Set<string>>()
  for (const line of listed.toString('utf8').split('\n')) {
    const [, id, path] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? []
    if (id === undefined || !path!.startsWith(below) || !paths.has(path!.slice(below.length))) continue
    places.set(id, (places.get(id) ?? new Set()).add(path!.slice(below.length)))
  }
  for (const ids of await inBatches(root, [...places.keys()]))
    for (const { id, bytes } of parseBatch(
      (await git(root, ['cat-file', '--batch'], ids.join('\n'))) ?? Buffer.alloc(0),
    ))
      for (const path of places.get(id) ?? []) yield { path, bytes }
}

/** Blobs in groups that fit into one answer; omits blobs larger than any text of a record. */
async function inBatches(root: string, ids: readonly string[]): Promise<string[][]> {
  if (ids.length === 0) return []
  const sizes = (await git(root, ['cat-file', '--batch-check'], ids.join('\n')))?.toString('latin1') ?? ''
  const batches: string[][] = []
  let held = Infinity
  for (const [, id, size] of sizes.matchAll(/^([0-9a-f]{40,64}) blob (\d+)$/gm)) {
    if (Number(size) > LARGEST_BLOB) continue
    if (held + Number(size) > BATCH_BYTES) held = batches.push([]) && 0
    held += Number(size)
    batches.at(-1)!.push(id!)
  }
  return batches
}

function* parseBatch(answer: Buffer): Generator<{ id: string; bytes: Buffer }> {
  for (let from = 0; from < answer.length;) {
    const end = answer.indexOf(0x0a, from)
    const [, id, size] =
      /^([0-9a-f]{40,64}) blob (\d+)$/.exec(answer.toString('latin1', from, end < 0 ? answer.length : end)) ?? []
    if (id === undefined) return
    yield { id, bytes: answer.subarray(end + 1, end + 1 + Number(size)) }
    from = end + 2 + Number(size)
  }
}

async function git(root: string, words: readonly string[], input = ''): Promise<Buffer | undefined> {
  const call = { input, most: MOST_OUTPUT }
  const answer = await runGit({ around: root }, words, call).catch(() => undefined)
  return answer?.code === 0 && !answer.cut ? answer.stdout : undefined
}
