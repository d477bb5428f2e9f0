import { dirname } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import { runGit } from '../../kernel/system/git.ts'
import { copyOf, isPartOfRecord, tooMany, type RecordCopy } from './folder-copy.ts'

const RECORD = '.ken/record/'
const MOST_BYTES = 1024 * 1024 * 1024
const MOST_COMMITS = 200
const MOST_BRANCHES = 20

/**
 * Commits that contain the record, for a repository with the record inside: the newest of the current branch, then the
 * tips of local branches. Commits that were only fetched come from others and must be named.
 */
export async function commitsWithRecord(project: RegisteredProject): Promise<string[]> {
  if (project.mode !== 'repo') return []
  const [past, heads] = await Promise.all([
    lines(project, ['rev-list', `-n${MOST_COMMITS}`, 'HEAD', '--', RECORD]),
    lines(project, [
      'for-each-ref',
      `--count=${MOST_BRANCHES}`,
      '--sort=-committerdate',
      '--format=%(objectname)',
      'refs/heads',
    ]),
  ])
  const here = await firstWith(project, past)
  const ends = await Promise.all(heads.map(async (commit) => ((await hasDecisions(project, commit)) ? [commit] : [])))
  const trees = new Map<string, string>()
  for (const commit of [...(here === undefined ? [] : [here]), ...ends.flat()]) {
    const [tree] = await lines(project, ['rev-parse', '--verify', '--quiet', `${commit}:./${RECORD}`])
    if (tree !== undefined && !trees.has(tree)) trees.set(tree, commit)
  }
  return [...trees.values()]
}

/** The full id of a commit that the user named. */
export async function commitNamed(project: RegisteredProject, revision: string): Promise<string> {
  const [found] =
    project.mode !== 'repo' || revision.includes('\0')
      ? []
      : await lines(project, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
  if (found !== undefined) return found
  throw new AppError('not_found', `git has no revision "${revision}" with this record.`, {
    hint: 'Only records kept in the repository are in its commits.',
  })
}

export async function readCommit(project: RegisteredProject, commit: string): Promise<RecordCopy> {
  const listed = (await git(project, ['ls-tree', '-r', '-z', '-l', commit, '--', RECORD]))?.toString('utf8') ?? ''
  const blobs = listed.split('\0').flatMap((entry) => {
    // Only regular files: links and submodules have other modes.
    const [, id, size, path] = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t([\s\S]+)$/.exec(entry) ?? []
    const inside = path?.startsWith(RECORD) ? path.slice(RECORD.length) : ''
    return id === undefined || !isPartOfRecord(inside) ? [] : [{ id, size: Number(size), path: inside }]
  })
  if (blobs.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw tooMany(`commit ${commit.slice(0, 12)}`)
  const bytes = await git(project, ['cat-file', '--batch'], blobs.map(({ id }) => `${id}\n`).join(''))
  return copyOf(new Map(splitBatch(bytes ?? Buffer.alloc(0), blobs)), true)
}

/** Parses `<id> blob <size>\n<bytes>\n`, once per requested blob. */
function splitBatch(bytes: Buffer, blobs: readonly { size: number; path: string }[]): [string, Uint8Array][] {
  let at = 0
  return blobs.map(({ size, path }) => {
    const from = bytes.indexOf(0x0a, at) + 1
    at = from + size + 1
    return [path, bytes.subarray(from, from + size)]
  })
}

async function firstWith(project: RegisteredProject, commits: readonly string[]): Promise<string | undefined> {
  for (const commit of commits) if (await hasDecisions(project, commit)) return commit
  return undefined
}

const hasDecisions = async (project: RegisteredProject, commit: string): Promise<boolean> =>
  ((await git(project, ['ls-tree', '-z', commit, '--', `${RECORD}decisions/`]))?.length ?? 0) > 0

const lines = async (project: RegisteredProject, args: readonly string[]): Promise<string[]> =>
  ((await git(project, args))?.toString('utf8') ?? '').split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line))

/** Undefined if there is no git, no repository or no such object. */
async function git(project: RegisteredProject, words: readonly string[], input = ''): Promise<Buffer | undefined> {
  const around = dirname(dirname(project.location))
  const call = { input, most: 2 * MOST_BYTES }
  const answer = await runGit({ around }, words, call).catch(() => undefined)
  return answer?.code === 0 && !answer.cut ? answer.stdout : undefined
}
