import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../kernel/domain/errors.ts'
import { bytesBelow } from '../../../kernel/system/files-below.ts'
import { type GitCall, runGit } from '../../../kernel/system/git.ts'

const PATIENCE = 300_000
const MOST_OUTPUT = 128 * 1024 * 1024

/** Git output for a bare repository that Ken created. */
export async function git(clone: string, words: readonly string[], call: GitCall = {}): Promise<string> {
  const answer = await runGit({ bare: clone }, words, { most: MOST_OUTPUT, patienceMs: PATIENCE, ...call })
  if (answer?.code === 0) return answer.stdout.toString('utf8')
  throw new AppError(
    'unavailable',
    `git: ${answer ? lastLine(answer.stderr) || 'it gave no reason' : 'it is not installed'}`,
    {
      hint: 'Check the address and the branch in ken.yaml, and that git may read it.',
    },
  )
}

/** Fetches the tip of the branch, without history, into a bare repository. */
export async function fetchBranch({
  url,
  branch,
  clone,
  largest = LARGEST_CLONE,
}: {
  readonly url: string
  readonly branch: string | undefined
  readonly clone: string
  readonly largest?: number | undefined
}): Promise<void> {
  if (url.startsWith('-') || branch?.startsWith('-'))
    throw new AppError('invalid_input', 'An address or branch cannot begin with a dash.', {
      hint: 'Change it in ken.yaml.',
    })
  await mkdir(clone, { recursive: true, mode: 0o700 })
  await git(clone, ['init', '-q', '--bare', '--template='])
  const tooLarge = new AbortController()
  const watch = setInterval(() => {
    if (bytesBelow(join(clone, 'objects')) > largest)
      tooLarge.abort(
        new AppError('unavailable', `The repository is larger than ${Math.round(largest / 1024 ** 2)} MB.`, {
          hint: 'Clone it yourself and name the folder with path.',
        }),
      )
  }, LOOK_MS)
  try {
    await git(
      clone,
      ['fetch', '-q', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--', url, branch ?? 'HEAD'],
      { signal: tooLarge.signal, mayFetch: true },
    )
  } catch (error) {
    // Half a pack is useless.
    if (tooLarge.signal.aborted) await rm(clone, { recursive: true, force: true })
    throw error
  } finally {
    clearInterval(watch)
  }
}

/** git cannot limit the size of a fetch, so the received size is monitored. */
const LOOK_MS = 200
const LARGEST_CLONE = 2 * 1024 ** 3

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => /^(?:fatal|error|remote):/.test(line)) ??
  text.trim().split('\n').at(-1) ??
  ''
