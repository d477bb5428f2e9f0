import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute } from 'node:path'
import { AppError } from '../domain/errors.ts'
import { type GitDirectory, gitDirectoryAround } from './git-directory.ts'
import { checkGitDirectory, checkPatternFiles } from './git-openings.ts'
import { type GitWait, mayLeaveRepository, tooSlow, waitForGit } from './git-patience.ts'

/*
 * The only way Ken runs git. The repository may be anyone's: nothing it sets starts a program, nothing is fetched, git
 * is told which repository is meant instead of looking for one, opens neither pipes nor what lies outside, and has a
 * bound on its time.
 */

/**
 * Where git runs: in the working tree around a folder, which Ken finds and names; in a bare repository that Ken
 * created; or in no repository, for commands that need none.
 */
export type GitPlace = { readonly around: string } | { readonly bare: string } | 'nowhere'

export type GitSetting = readonly [name: string, value: string]

/** External resources that git may use. */
export interface GitReach {
  /**
   * Whether a person, or a file that a person trusts, named the address: then the user's keys and proxies may be used
   * for it.
   */
  readonly mayFetch?: boolean | undefined
}

export interface GitCall extends GitReach {
  readonly input?: string | undefined
  /** Maximum bytes of output; the rest is cut. */
  readonly most?: number | undefined
  readonly patienceMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GitAnswer {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
  /** True if the output exceeded the limit and was cut. */
  readonly cut: boolean
}

/** An isolated git for a server: an environment with nothing from the machine, and bounded memory. */
export interface HardenedGitCall {
  readonly environment: Readonly<Record<string, string>>
  readonly settings: readonly GitSetting[]
  /** Memory limit per process, bytes. */
  readonly memory: number
}

const PATIENCE_MS = 60_000
const MOST_OUTPUT = 64 * 1024 * 1024
const LARGEST_PIECE = '1g'

/**
 * Settings that name a program or start a second git, as listed in git's documentation, with their override. All of
 * them are overridden, whether or not a command that Ken runs today would read them.
 */
export const PROGRAM_SETTINGS: Readonly<Record<string, string>> = {
  'core.alternateRefsCommand': '',
  'core.askPass': '',
  'core.editor': 'false',
  'core.fsmonitor': 'false',
  'core.gitProxy': '',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'credential.helper': '',
  'diff.external': '',
  'diff.guitool': '',
  'diff.tool': '',
  'fetch.recurseSubmodules': 'false',
  'gc.auto': '0',
  'gpg.program': 'false',
  'gpg.ssh.defaultKeyCommand': '',
  'help.browser': '',
  'imap.tunnel': '',
  'init.templateDir': '',
  'instaweb.browser': '',
  'instaweb.httpd': 'false',
  'interactive.diffFilter': '',
  'log.showSignature': 'false',
  'maintenance.auto': 'false',
  'merge.guitool': '',
  'merge.tool': '',
  'merge.verifySignatures': 'false',
  'sendemail.ccCmd': '',
  'sendemail.headerCmd': '',
  'sendemail.sendmailCmd': '',
  'sendemail.smtpServer': '',
  'sendemail.toCmd': '',
  'sequence.editor': 'false',
  'submodule.recurse': 'false',
  'uploadpack.packObjectsHook': '',
  'web.browser': '',
}

/**
 * Settings that name a program under a name chosen by the repository. `commands` are the git commands that read them;
 * if Ken runs one of these, the names are listed and overridden one by one.
 */
export const NAMED_PROGRAM_SETTINGS: readonly { readonly setting: RegExp; readonly commands: readonly string[] }[] = [
  { setting: /^filter\..+\.(?:clean|smudge|process|required)$/i, commands: ['diff', 'ls-files', 'hash-object'] },
  { setting: /^diff\..+\.(?:command|textconv)$/i, commands: ['diff', 'log'] },
  { setting: /^hook\..+\.(?:command|event|enabled)$/i, commands: ['diff', 'ls-files', 'hash-object'] },
  { setting: /^merge\..+\.driver$/i, commands: [] },
  { setting: /^gpg\..+\.program$/i, commands: [] },
  { setting: /^(?:alias|pager)\..+$/i, commands: [] },
  { setting: /^(?:browser|difftool|guitool|man|mergetool)\..+\.(?:cmd|path)$/i, commands: [] },
  { setting: /^credential\..+\.helper$/i, commands: [] },
  { setting: /^remote\..+\.(?:proxy|receivepack|uploadpack|vcs)$/i, commands: [] },
  { setting: /^submodule\..+\.update$/i, commands: [] },
  { setting: /^(?:tar|trailer)\..+\.(?:cmd|command)$/i, commands: [] },
]

const SETTINGS: readonly GitSetting[] = [
  ...Object.entries(PROGRAM_SETTINGS),
  // Prints names without quoting.
  ['core.quotePath', 'off'],
  ['core.useReplaceRefs', 'false'],
  ['credential.interactive', 'false'],
  ['protocol.ext.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
]

/** Settings for which a fetch uses the user's values; the repository it fetches into is Ken's and sets nothing. */
const FOR_A_FETCH = new Set(['core.gitProxy', 'core.sshCommand', 'credential.helper'])

/**
 * Runs git without a shell and waits for it to exit. Undefined if git is missing or the folder is not in a repository.
 */
export async function runGit(
  place: GitPlace,
  words: readonly string[],
  { input = '', most = MOST_OUTPUT, patienceMs, signal, ...reach }: GitCall = {},
): Promise<GitAnswer | undefined> {
  const found = repositoryAt(place)
  const wait = waitAt(found, words, patienceMs)
  try {
    const call = await prepare(place, words, { ...reach, found, wait })
    if (call === undefined) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<GitAnswer | undefined>()
    const patience = wait.left()
    if (patience <= 0) throw tooSlow(commandOf(words), wait.mostMs)
    const options = {
      env: call.env,
      maxBuffer: most,
      timeout: Math.ceil(patience),
      killSignal: 'SIGKILL',
      windowsHide: true,
      encoding: 'buffer',
      ...(signal !== undefined && { signal }),
    } as const
    const child = execFile('git', call.args, options, (error, stdout, said) => {
      const stderr = said.toString('utf8')
      const code: unknown = error?.code
      const cut = code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      if (error === null || cut) resolve({ code: 0, stdout, stderr, cut })
      else if (signal?.aborted) reject(signal.reason as Error)
      else if (code === 'ENOENT') resolve(undefined)
      else if (error.killed) {
        wait.end('too slow')
        reject(tooSlow(commandOf(words), wait.mostMs))
      } else resolve({ code: typeof code === 'number' ? code : 1, stdout, stderr, cut: false })
    })
    // A git that exits before it reads its input must not crash this process.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    return await promise
  } finally {
    wait.end('answered')
  }
}

/** Limits the total time of git only in a possibly untrusted repository; otherwise the caller sets the limit. */
function waitAt(found: GitDirectory | undefined, words: readonly string[], patienceMs: number | undefined): GitWait {
  if (found !== undefined) return waitForGit(found.worktree, commandOf(words), patienceMs)
  const mostMs = patienceMs ?? PATIENCE_MS
  return { mostMs, left: () => mostMs, end: () => {} }
}

/**
 * Starts git and streams its output; the caller limits the output's size, and the time with `waitForGit`. Undefined in
 * the same cases as `runGit`.
 */
export async function startGit(
  place: GitPlace,
  words: readonly string[],
): Promise<ChildProcessWithoutNullStreams | undefined> {
  const found = repositoryAt(place)
  const wait = waitAt(found, words, undefined)
  try {
    const call = await prepare(place, words, { found, wait })
    return call && spawn('git', call.args, { env: call.env, windowsHide: true })
  } finally {
    wait.end('answered')
  }
}

// Limits total memory: endless lists, e.g. of branches, consist of many small allocations. A system without `ulimit -v`
// continues without the limit.
const WITHIN = 'ulimit -v "$1" 2>/dev/null; shift; exec git "$@"'

/** Starts git in a bare repository that Ken created, in its own process group. */
export function startHardenedGit(
  bare: string,
  words: readonly string[],
  { environment, settings, memory }: HardenedGitCall,
): ChildProcessWithoutNullStreams {
  const within = ['-c', WITHIN, 'sh', String(Math.floor(memory / 1024))]
  const args = [...nameOf({ bare }, undefined)!, ...GENERAL, ...said([...SETTINGS, ...settings]), ...words]
  return spawn('/bin/sh', [...within, ...args], { cwd: bare, env: environment, detached: true })
}

/** The git command among the arguments. */
export const commandOf = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? ''

interface Prepared {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

const GENERAL = ['--no-pager', '--no-optional-locks', '--literal-pathspecs']

const said = (settings: readonly GitSetting[]): string[] =>
  settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])

async function prepare(
  place: GitPlace,
  words: readonly string[],
  { mayFetch = false, found, wait }: GitReach & { readonly found: GitDirectory | undefined; readonly wait: GitWait },
): Promise<Prepared | undefined> {
  const where = nameOf(place, found)
  if (where === undefined) return undefined
  if (found !== undefined) checkGitDirectory(found, mayLeaveRepository())
  if (found !== undefined && !(await mayBeRead(found, wait))) return undefined
  const settings = mayFetch ? SETTINGS.filter(([name]) => !FOR_A_FETCH.has(name)) : SETTINGS
  const before = [...where, ...GENERAL, ...said(settings)]
  const env = mayFetch ? fetchEnvironment() : closedEnvironment()
  if (found !== undefined && READS_PATTERNS.has(commandOf(words)))
    checkPatternFiles(found.worktree, await foldersOf(found, before, { env, wait }))
  const named = NAMED_PROGRAM_SETTINGS.filter(({ commands }) => commands.includes(commandOf(words)))
  const own = named.length === 0 ? [] : await settingsOfRepository(before, { env, wait })
  const programs = own.filter((name) => named.some(({ setting }) => setting.test(name)))
  return { args: [...before, ...words], env: { ...env, ...withoutPrograms(programs) } }
}

/** Commands that open the .gitignore or .gitattributes files of the working tree. */
const READS_PATTERNS = new Set(['check-ignore', 'diff', 'hash-object', 'log', 'ls-files'])

interface Asking {
  readonly env: Prepared['env']
  readonly wait: GitWait
}

const knownFolders = new Map<string, { readonly stamp: string; readonly folders: ReadonlySet<string> }>()

/** Every folder with a tracked file in it, and the root; read again when the index was written. */
async function foldersOf(
  { own, worktree }: GitDirectory,
  before: readonly string[],
  asking: Asking,
): Promise<ReadonlySet<string>> {
  const index = statSync(`${own}/index`, { throwIfNoEntry: false })
  const stamp = `${index?.ino} ${index?.mtimeMs} ${index?.size}`
  const known = knownFolders.get(worktree)
  if (known?.stamp === stamp) return known.folders
  const folders = new Set([''])
  for (const path of (await ask([...before, '-C', worktree, 'ls-files', '-z'], asking)).stdout.split('\0'))
    for (let at = dirname(path); at !== '.' && at !== '/' && !folders.has(at); at = dirname(at)) folders.add(at)
  knownFolders.set(worktree, { stamp, folders })
  return folders
}

/** Runs a preliminary query before the requested command, under the same time limit. */
function ask(words: readonly string[], { env, wait }: Asking): Promise<{ error: Error | null; stdout: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ error: Error | null; stdout: string }>()
  const options = {
    env,
    timeout: Math.max(1, Math.ceil(wait.left())),
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
  } as const
  execFile('git', words, options, (error, stdout) => {
    if (error?.killed === true && (error.code as unknown) !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      wait.end('too slow')
      reject(tooSlow(words.includes('config') ? 'config' : 'ls-files', wait.mostMs))
    } else resolve({ error, stdout })
  }).stdin?.end()
  return promise
}

const repositoryAt = (place: GitPlace): GitDirectory | undefined =>
  typeof place === 'object' && 'around' in place ? gitDirectoryAround(place.around) : undefined

/** Arguments that name the repository explicitly: git would also find a repository planted in a folder. */
function nameOf(place: GitPlace, found: GitDirectory | undefined): readonly string[] | undefined {
  if (place === 'nowhere') return ['--git-dir=/dev/null']
  if ('bare' in place) return [`--git-dir=${place.bare}`]
  return found && ['-C', place.around, `--git-dir=${found.own}`, `--work-tree=${found.worktree}`]
}

/**
 * Whether a repository may be read. One owned by another user of this machine counts only if git also accepts it, which
 * the user allows with `safe.directory`: naming a repository skips git's check.
 */
async function mayBeRead(found: GitDirectory, wait: GitWait): Promise<boolean> {
  const owners = [found.own, found.worktree].map((path) => statSync(path, { throwIfNoEntry: false })?.uid)
  if (process.getuid === undefined || owners.every((owner) => owner === process.getuid!())) return true
  const env = { ...closedEnvironment(), GIT_CEILING_DIRECTORIES: dirname(found.worktree) }
  const words = ['-C', found.worktree, ...GENERAL, ...said(SETTINGS), 'rev-parse', '--git-dir']
  return (await ask(words, { env, wait })).error === null
}

/**
 * Names of the settings in the repository's config. Throws if git cannot list them, because programs could then run.
 */
async function settingsOfRepository(before: readonly string[], asking: Asking): Promise<readonly string[]> {
  const words = [...before, 'config', '-z', '--show-scope', '--name-only', '--list']
  const { error, stdout } = await ask(words, asking)
  if (error !== null && (error as NodeJS.ErrnoException).code !== 'ENOENT')
    throw new AppError('unavailable', 'git cannot read the configuration of this repository.', {
      hint: 'Check `git config --list` here.',
    })
  const fields = stdout.split('\0')
  const own = fields.filter((_, at) => at % 2 === 1 && /^(?:local|worktree)$/.test(fields[at - 1]!))
  return [...new Set(own)]
}

/** Overrides settings via the environment: a name with an equals sign cannot be passed on the command line. */
function withoutPrograms(names: readonly string[]): Record<string, string> {
  const entries = names.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, /\.(?:required|enabled)$/i.test(name) ? 'false' : ''],
  ])
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(entries) }
}

/** Variables to start a program, and to find the user's git settings. */
const KEPT =
  /^(?:PATH|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|TMPDIR|TEMP|TMP|XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/i
/** Additional variables for a fetch, for reaching the host and signing in. */
const KEPT_FOR_A_FETCH =
  /^(?!GIT_)|^GIT_(?:SSH|SSL|HTTP|PROXY|ASKPASS|ALLOW_PROTOCOL|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$)/i

const NO_QUESTIONS = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1', GIT_OPTIONAL_LOCKS: '0' }

// `-` is not the name of any protocol. An empty list does not work everywhere: an empty variable counts as absent on
// Windows.
const closedEnvironment = (): Prepared['env'] => ({
  ...environmentWith(KEPT),
  ...NO_QUESTIONS,
  GIT_ALLOW_PROTOCOL: '-',
  GIT_NO_LAZY_FETCH: '1',
  // Without this a sparse file of many gigabytes would be read into memory as a whole.
  GIT_ALLOC_LIMIT: LARGEST_PIECE,
})

const fetchEnvironment = (): Prepared['env'] => ({ ...environmentWith(KEPT_FOR_A_FETCH), ...NO_QUESTIONS })

const environmentWith = (kept: RegExp): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env)
      .filter(([name]) => kept.test(name))
      .map(([name, value]) => [name, /^path$/i.test(name) ? absolutePath(value ?? '') : value]),
  )

/** Removes relative entries, because they would find programs in the folder being read. */
const absolutePath = (path: string): string =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter)
