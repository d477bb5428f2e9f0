import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../postgres/server.ts'

export interface MariadbServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  stop(): Promise<void>
}

/** Undefined if MariaDB is installed; otherwise how to install it. On Debian: apt-get install mariadb-server. */
export function mariadbMissing(): string | undefined {
  const found = ['mariadbd', 'mariadb-install-db'].every(
    (program) => spawnSync(program, ['--version']).error === undefined,
  )
  return found
    ? undefined
    : 'mariadbd and mariadb-install-db are not on the PATH: install mariadb-server to run this suite'
}

/**
 * Starts the system's MariaDB in a temporary folder, on a free port. It refuses to run as root, so as root it runs as
 * `nobody`.
 */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-mariadb-'))
  chmodSync(folder, 0o755)
  const nobody = userInfo().uid === 0 ? { uid: 65534, gid: 65534 } : undefined
  if (nobody) chownSync(folder, nobody.uid, nobody.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { ...nobody, cwd: folder },
  )
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${String(made.stderr)} ${String(made.stdout)}`)
  const port = await freePort()
  const options = [
    `--datadir=${data}`,
    // A starting server deletes other servers' temporary tables in a shared folder.
    `--tmpdir=${folder}`,
    `--socket=${join(folder, 'socket')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--performance-schema=ON',
    '--innodb-flush-log-at-trx-commit=0',
  ]
  const server = spawn('mariadbd', ['--no-defaults', '--skip-grant-tables=0', ...options], { ...nobody, cwd: folder })
  await ready(server)
  return {
    host: '127.0.0.1',
    port,
    user: 'root',
    database: 'shop',
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ready(server: ChildProcess): Promise<void> {
  let log = ''
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`mariadbd ended with ${code}: ${log}`)))
    server.stderr?.on('data', (chunk: Buffer) => {
      log += String(chunk)
      if (log.includes('ready for connections')) resolve()
    })
  })
}
