import { AppError } from '../../kernel/domain/errors.ts'
import { tooSlow, waitForGit } from '../../kernel/system/git-patience.ts'
import { commandOf, runGit, startGit } from '../../kernel/system/git.ts'

export interface GitText {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly cut: boolean
}

const MOST_OUTPUT = 32 * 1024 * 1024

/**
 * Runs git in the working tree around a folder and returns its text output. Undefined without git and outside a
 * repository.
 */
export async function git(directory: string, args: readonly string[]): Promise<GitText | undefined> {
  const answer = await runGit({ around: directory }, args, { most: MOST_OUTPUT })
  return answer && { ...answer, stdout: answer.stdout.toString('utf8') }
}

/** For calls that must succeed: throws `unavailable` with git's message, unless the exit code is 0 or `harmless`. */
export async function gitOrThrow(directory: string, args: readonly string[], harmless = 0): Promise<GitText> {
  const answer = await git(directory, args)
  if (answer !== undefined && (answer.code === 0 || answer.code === harmless)) return answer
  const words = answer?.stderr.trim().split('\n')[0] ?? 'git is not installed'
  throw new AppError('unavailable', `git ${commandOf(args)} failed: ${words || 'no reason given'}`, {
    hint: /promisor|unable to read|missing blob|bad object/i.test(answer?.stderr ?? '')
      ? 'This is a partial clone. Run `git fetch --refetch --no-filter`, then try again.'
      : 'Run the same git command by hand for details.',
  })
}

/**
 * Runs git for output of any length and streams each NUL-terminated field. A failing git yields nothing; one that takes
 * too long throws.
 */
export async function gitFields(
  directory: string,
  args: readonly string[],
  take: (field: string) => void,
): Promise<void> {
  const child = await startGit({ around: directory }, args)
  if (child === undefined) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const wait = waitForGit(directory, commandOf(args))
  const patience = setTimeout(() => {
    child.kill('SIGKILL')
    wait.end('too slow')
    reject(tooSlow(commandOf(args), wait.mostMs))
  }, wait.left())
  const reader = new TextDecoder()
  let rest = ''
  child.stdin.on('error', () => {}).end()
  child.stderr.resume()
  child.stdout.on('data', (bytes: Buffer) => {
    const fields = (rest + reader.decode(bytes, { stream: true })).split('\0')
    rest = fields.pop()!
    for (const field of fields) take(field)
  })
  child.on('error', () => resolve())
  child.on('close', () => {
    clearTimeout(patience)
    wait.end('answered')
    if (rest !== '') take(rest)
    resolve()
  })
  return promise
}
