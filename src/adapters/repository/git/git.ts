import { execFile, spawn } from 'node:child_process'
import { AppError } from '../../../core/errors.ts'
import { NO_HOOKS } from '../../unled-git.ts'

export interface GitAnswer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The output went beyond the limit and ends somewhere. */
  readonly cut: boolean
}

const PATIENCE_MS = 60_000
const MOST_OUTPUT = 32 * 1024 * 1024

// Names come as they are, no setting of the user starts a program, and no lock is taken.
export const PLAIN = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.quotepath=off',
  ...NO_HOOKS,
]

/** Runs git without a shell and with empty input. Undefined when there is no git. */
export function git(directory: string, args: readonly string[]): Promise<GitAnswer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer | undefined>()
  const options = { maxBuffer: MOST_OUTPUT, timeout: PATIENCE_MS, windowsHide: true, encoding: 'utf8' } as const
  const child = execFile('git', ['-C', directory, ...PLAIN, ...args], options, (error, stdout, stderr) => {
    const cut = (error as NodeJS.ErrnoException | null)?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    if (error === null || cut) resolve({ code: 0, stdout, stderr, cut })
    else if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve(undefined)
    else if (error.killed) reject(tooSlow(args))
    else resolve({ code: typeof error.code === 'number' ? error.code : 1, stdout, stderr, cut: false })
  })
  // A git that ends before it reads its input must not take this process with it.
  child.stdin?.on('error', () => {})
  child.stdin?.end()
  return promise
}

/**
 * For what must work: an exit code other than 0, or the one named as harmless, throws `unavailable` with git's own
 * words.
 */
export async function gitOrThrow(directory: string, args: readonly string[], harmless = 0): Promise<GitAnswer> {
  const answer = await git(directory, args)
  if (answer !== undefined && (answer.code === 0 || answer.code === harmless)) return answer
  const words = answer?.stderr.trim().split('\n')[0] ?? 'git is not installed'
  throw new AppError('unavailable', `git ${commandOf(args)} failed: ${words || 'it gave no reason'}`, {
    hint: 'Run the same git command by hand to see what is wrong.',
  })
}

/**
 * What keeps git from running the filters that a repository itself sets, for commands that look at the bytes of files:
 * those of the user stay. Throws `forbidden` for one that no setting can reach.
 */
export async function withoutFilters(directory: string): Promise<readonly string[]> {
  const answer = await git(directory, ['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'])
  if (answer?.code !== 0) return []
  const fields = answer.stdout.split('\0')
  const names = fields.flatMap((key, at) =>
    at % 2 === 1 && /^(?:local|worktree)$/.test(fields[at - 1]!) ? [key.replace(/\.[^.]*$/, '')] : [],
  )
  const odd = names.find((name) => name.includes('='))
  if (odd !== undefined)
    throw new AppError('forbidden', 'A filter in the configuration of this repository cannot be kept from running.', {
      hint: 'Look at `git config --local --get-regexp filter`.',
    })
  return [...new Set(names)].flatMap((name) =>
    [`${name}.clean=`, `${name}.process=`, `${name}.required=false`].flatMap((one) => ['-c', one]),
  )
}

/**
 * Runs git for an answer of any length and hands on each field that ends in NUL as it comes. A git that fails has no
 * answer; one that takes too long throws.
 */
export function gitFields(directory: string, args: readonly string[], take: (field: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn('git', ['-C', directory, ...PLAIN, ...args], {
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const patience = setTimeout(() => child.kill() && reject(tooSlow(args)), PATIENCE_MS)
  const reader = new TextDecoder()
  let rest = ''
  child.stdout.on('data', (bytes: Buffer) => {
    const fields = (rest + reader.decode(bytes, { stream: true })).split('\0')
    rest = fields.pop()!
    for (const field of fields) take(field)
  })
  child.on('error', () => resolve())
  child.on('close', () => {
    clearTimeout(patience)
    if (rest !== '') take(rest)
    resolve()
  })
  return promise
}

const tooSlow = (args: readonly string[]): AppError =>
  new AppError('unavailable', `git ${commandOf(args)} did not answer within ${PATIENCE_MS / 1000} seconds.`, {
    hint: 'Name a base nearer to the present, or run `git gc`.',
  })

/** Settings come before it. */
const commandOf = (args: readonly string[]): string =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? ''
