import { lookup as resolveName } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../kernel/domain/errors.ts'
import { bytesBelow } from '../../kernel/system/files-below.ts'
import type { GitSetting } from '../../kernel/system/git.ts'
import { isPrivateAddress } from '../../kernel/system/private-address.ts'
import type { GitPlace } from '../domain/context-project/git-place.ts'
import type { GitTrees } from '../ports/git-trees.ts'
import { openHardenedGit, type HardenedGit } from './hardened-git.ts'
import { treeFiles, type TreeBounds } from './tree-files.ts'

export interface GitTreesOptions {
  /** Hosts, optionally with a port, that may be in a private network. */
  readonly hosts?: readonly string[]
  /** PEM file with certificates of a company's own authority. */
  readonly authorities?: string | undefined
  /** Allows repositories on this machine, for tests. */
  readonly allowsFiles?: boolean
  /** PATH for finding programs. */
  readonly path?: string | undefined
  /** Folder for clones while they are read. */
  readonly folder?: string
  readonly bounds?: Partial<GitBounds>
  readonly resolve?: Resolve
}

export interface GitBounds extends TreeBounds {
  /** Maximum bytes of a transfer. */
  readonly transfer: number
  /** Maximum bytes of memory for git. */
  readonly memory: number
  /** Total time limit in milliseconds. */
  readonly patience: number
}

const BOUNDS: GitBounds = {
  files: 10_000,
  fileBytes: 16 * 1024 ** 2,
  bytes: 64 * 1024 ** 2,
  transfer: 128 * 1024 ** 2,
  memory: 512 * 1024 ** 2,
  patience: 120_000,
}
const LOOK_MS = 100

/** Repository branches, read with the git program. */
export function openGitTrees({
  hosts = [],
  authorities,
  allowsFiles = false,
  path = '/usr/local/bin:/usr/bin:/bin',
  folder = tmpdir(),
  bounds: given,
  resolve = systemResolve,
}: GitTreesOptions = {}): GitTrees {
  const bounds = { ...BOUNDS, ...given }
  const allowed = new Set(hosts.map((host) => host.toLowerCase()))
  const assertAllowed = (address: string): void => {
    if (!URL.canParse(address)) throw new AppError('invalid_input', 'That is not the address of a repository.')
    const url = new URL(address)
    if (url.protocol === 'file:' && !allowsFiles)
      throw new AppError('forbidden', 'Repositories on the server’s own machine are not allowed.', {
        hint: 'Use an address that starts with https://.',
      })
    if (isPrivateHost(url) && !isNamed(url, allowed)) throw unknownHost()
  }
  return {
    assertAllowed,
    async fetch(place, { credential, known, signal }) {
      assertAllowed(place.address)
      const url = new URL(place.address)
      const isHere = url.protocol === 'file:'
      const pins = isHere ? [] : await pinnedHost(url, { resolve, allowed })
      const own = new AbortController()
      const stop = (): void => own.abort(new AppError('stopped', 'The pull was stopped.'))
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      const home = await mkdtemp(join(folder, 'ken-git-'))
      const git = openHardenedGit({
        home,
        path,
        protocol: isHere ? 'file' : 'https',
        secretly: isHere || credential === undefined ? [] : [['http.extraHeader', authorization(credential)]],
        memory: bounds.memory,
        settings: [...pins, ...(authorities === undefined ? [] : [['http.sslCAInfo', authorities] as const])],
        signal: AbortSignal.any([own.signal, AbortSignal.timeout(bounds.patience)]),
      })
      try {
        if (pins.length > 0) await assertPins(git)
        const address = isHere ? `file://${fileURLToPath(url)}` : url.href
        const commit = await tipOf(git, address, place)
        if (commit === known) return 'same'
        await git.run(['init', '-q', '--bare', '--template='])
        await bounded(home, { most: bounds.transfer, own }, () => fetchCommit(git, address, place)).catch(asOf(commit))
        const arrived = (await git.run(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).toString().trim()
        await assertFolder(git, arrived, place.folder)
        const tree = await treeFiles(git, { commit: arrived, folder: place.folder }, bounds).catch(asOf(arrived))
        return { commit: arrived, ...tree }
      } catch (thrown) {
        throw (thrown as Error).name === 'TimeoutError' ? tooSlow(bounds.patience) : thrown
      } finally {
        signal?.removeEventListener('abort', stop)
        await rm(home, { recursive: true, force: true, maxRetries: 3 })
      }
    },
  }
}

/** An older git silently ignores the pinned address and resolves the host again. */
async function assertPins(git: HardenedGit): Promise<void> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec((await git.run(['version'])).toString()) ?? []
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 37)) return
  throw new AppError('unavailable', 'The server needs git 2.37 or newer.', {
    hint: 'The server’s operator must install it.',
  })
}

/** Adds the commit to an error about exceeded bounds, which persists until the next commit. */
const asOf =
  (commit: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || thrown.code !== 'invalid_input') throw thrown
    throw new AppError(thrown.code, thrown.message, {
      ...(thrown.hint !== undefined && { hint: thrown.hint }),
      details: { ...thrown.details, commit },
    })
  }

/** `name:token`, or only a token, for which hosts accept any name. */
const authorization = (credential: string): string =>
  `Authorization: Basic ${Buffer.from(credential.includes(':') ? credential : `x-access-token:${credential}`).toString('base64')}`

async function tipOf(git: HardenedGit, address: string, { branch }: GitPlace): Promise<string> {
  const said = await git.run(['ls-remote', '--quiet', '--', address, `refs/heads/${branch}`]).catch(unreadable)
  const [, commit] = /^([0-9a-f]{40,64})\trefs\/heads\//.exec(said.toString('utf8')) ?? []
  if (commit === undefined)
    throw new AppError('not_found', 'The repository has no such branch.', { hint: 'Check the name of the branch.' })
  return commit
}

const FETCH = ['-q', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph']

const fetchCommit = (git: HardenedGit, address: string, { branch }: GitPlace): Promise<unknown> =>
  git.run(['fetch', ...FETCH, '--', address, `refs/heads/${branch}`]).catch(unreadable)

const unreadable = (thrown: unknown): never => {
  if (!(thrown instanceof AppError) || thrown.code !== 'unavailable' || thrown.hint !== undefined) throw thrown
  throw new AppError('unavailable', thrown.message, {
    hint: 'Check the address, and the token if it is private. Redirects are not followed.',
  })
}

async function assertFolder(git: HardenedGit, commit: string, folder: string): Promise<void> {
  if (folder === '') return
  const kind = await git.run(['cat-file', '-t', `${commit}:${folder}`]).catch(() => Buffer.of())
  if (kind.toString().trim() !== 'tree')
    throw new AppError('not_found', 'The repository has no such folder.', { hint: 'Check the name of the folder.' })
}

/** git cannot limit the size of a fetch, so the received size is monitored. */
async function bounded<T>(
  home: string,
  { most, own }: { readonly most: number; readonly own: AbortController },
  work: () => Promise<T>,
): Promise<T> {
  const look = setInterval(() => {
    if (bytesBelow(join(home, 'objects')) > most) own.abort(tooLarge(most))
  }, LOOK_MS)
  try {
    const done = await work()
    if (bytesBelow(join(home, 'objects')) > most) throw tooLarge(most)
    return done
  } finally {
    clearInterval(look)
  }
}

const tooLarge = (most: number): AppError =>
  new AppError('invalid_input', `The repository is larger than ${Math.round(most / 1024 ** 2)} MB.`, {
    hint: 'Keep the context in a repository of its own.',
  })

const tooSlow = (patience: number): AppError =>
  new AppError('unavailable', `The repository took longer than ${Math.round(patience / 1_000)} s.`, {
    hint: 'Try again later.',
  })

/** Resolves a name to addresses; defaults to the system's resolver. */
type Resolve = (name: string) => Promise<readonly string[]>

const systemResolve: Resolve = async (name) => (await resolveName(name, { all: true })).map(({ address }) => address)

/**
 * Address of a host, pinned for git: git resolves nothing itself, so the owner of a name cannot redirect it in between.
 * Throws `unavailable` for a host that is not on the public network, unless it is one of `allowed`.
 */
async function pinnedHost(
  url: URL,
  { resolve, allowed }: { readonly resolve: Resolve; readonly allowed: ReadonlySet<string> },
): Promise<readonly GitSetting[]> {
  const name = nameOf(url)
  const port = url.port === '' ? '443' : url.port
  const isAllowed = isNamed(url, allowed)
  if (isIP(name) !== 0) {
    if (isAllowed || !isPrivateAddress(name)) return []
    throw unknownHost()
  }
  const found = await resolve(name).catch(() => [])
  if (found.length === 0 || (!isAllowed && found.some(isPrivateAddress))) throw unknownHost()
  const [address] = found.toSorted((one, other) => isIP(one) - isIP(other))
  return [['http.curloptResolve', `${name}:${port}:${isIP(address!) === 6 ? `[${address!}]` : address!}`]]
}

const nameOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, '')

const isNamed = (url: URL, allowed: ReadonlySet<string>): boolean =>
  allowed.has(url.host.toLowerCase()) || allowed.has(url.hostname.toLowerCase())

/** Whether an address is private regardless of the resolver: an IP address, or a name of this machine. */
function isPrivateHost(url: URL): boolean {
  const name = nameOf(url)
  if (isIP(name) !== 0) return isPrivateAddress(name)
  return /(?:^|\.)localhost\.?$/i.test(name)
}

/** Same error as for an unknown name: callers must not learn which names the internal network has. */
const unknownHost = (): AppError =>
  new AppError('unavailable', 'Unknown repository host.', {
    hint: 'Check its address. A private-network host must be listed in KEN_GIT_HOSTS on the server.',
  })
