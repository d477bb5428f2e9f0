import { AppError } from '../../kernel/domain/errors.ts'
import { type GitSetting, startHardenedGit } from '../../kernel/system/git.ts'

export interface HardenedGit {
  /** Standard output of git. Throws `unavailable`, or the signal's reason. */
  run(words: readonly string[], how?: { readonly input?: string; readonly most?: number }): Promise<Buffer>
}

export interface HardenedGitParts {
  /** Working directory and home, so that no user's settings, keys or helpers are found. */
  readonly home: string
  /** PATH for finding programs. */
  readonly path: string
  /** The only allowed protocol. */
  readonly protocol: 'https' | 'file'
  /** Settings that other users of the machine must not see: passed through the environment. */
  readonly secretly: readonly GitSetting[]
  readonly settings: readonly GitSetting[]
  /** Maximum memory in bytes for each of its processes. */
  readonly memory: number
  readonly signal: AbortSignal
}

const MOST_SAID = 64 * 1024
/** Limit for one object or one list of objects: a few untrusted bytes may claim to expand to gigabytes. */
const LARGEST_PIECE = '64m'

/**
 * Unconfigured git: no settings of the machine or a user, no hook, helper, filter or prompt, one protocol, no redirect,
 * and no checkout of untrusted files.
 */
export function openHardenedGit({
  home,
  path,
  protocol,
  secretly,
  settings,
  memory,
  signal,
}: HardenedGitParts): HardenedGit {
  const environment: Record<string, string> = {
    PATH: path,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOC_LIMIT: LARGEST_PIECE,
    GIT_CEILING_DIRECTORIES: home,
    GIT_CONFIG_COUNT: String(secretly.length),
  }
  for (const [at, [name, value]] of secretly.entries()) {
    environment[`GIT_CONFIG_KEY_${at}`] = name
    environment[`GIT_CONFIG_VALUE_${at}`] = value
  }
  return {
    run: (words, { input = '', most = MOST_SAID } = {}) =>
      new Promise((done, failed) => {
        signal.throwIfAborted()
        // In a separate process group, so that programs that git starts for a transfer end with it.
        const child = startHardenedGit(home, words, { environment, settings: [...SETTINGS, ...settings], memory })
        const [said, told]: [Buffer[], Buffer[]] = [[], []]
        let [size, isTooMuch] = [0, false]
        const end = (): void => endGroup(child.pid)
        signal.addEventListener('abort', end, { once: true })
        child.stdout.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > most) {
            isTooMuch = true
            end()
          } else said.push(chunk)
        })
        child.stderr.on('data', (chunk: Buffer) => {
          if (told.length < 64) told.push(chunk)
        })
        child.stdin.on('error', () => undefined).end(input)
        child.on('error', (error) => failed(noGit(error)))
        child.on('close', (code) => {
          signal.removeEventListener('abort', end)
          if (signal.aborted) return failed(signal.reason as Error)
          if (isTooMuch) return failed(new AppError('invalid_input', 'The repository has too many files.'))
          if (code === 0) return done(Buffer.concat(said))
          if (code === NOT_FOUND) return failed(noGit())
          const heard = Buffer.concat(told).toString('utf8')
          if (OUT_OF_MEMORY.test(heard)) return failed(tooMuchToHold())
          return failed(new AppError('unavailable', `git: ${lastLine(heard)}`))
        })
      }),
  }
}

const SETTINGS: readonly GitSetting[] = [
  ['core.symlinks', 'false'],
  // A larger blob is streamed and never in memory as a whole.
  ['core.bigFileThreshold', '16m'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['http.followRedirects', 'false'],
  ['http.sslVerify', 'true'],
  ['http.proxy', ''],
  ['pack.threads', '1'],
]

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already exited.
  }
}

// Exit status of a shell if the program is not found.
const NOT_FOUND = 127
const OUT_OF_MEMORY = /^fatal: (?:attempting to allocate \d+ over limit|Out of memory)/m

const tooMuchToHold = (): AppError =>
  new AppError('invalid_input', 'The repository exceeds the memory limit.', {
    hint: 'Keep the context in a repository of its own, with files of a few megabytes.',
  })

const noGit = (cause?: Error): AppError =>
  new AppError('unavailable', 'git cannot be started on the server.', {
    hint: 'The server’s operator must install git.',
    cause,
  })

/** Git's error message; the remote may have contributed to it, so it must be shown with care. */
const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /^(?:fatal|error):/.test(line))
    ?.slice(0, 300) ?? 'it ended without a word.'
