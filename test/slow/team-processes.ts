import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { openEvents, type SentEvents } from '../analyst/sent-events.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'

/** `ken server` in a separate process, on a database shared with other replicas. */
export interface Replica {
  readonly url: string
  readonly process: ChildProcess
  call(token: string, operation: string, input?: object): Promise<{ readonly status: number; readonly body: any }>
  /** Events as they arrive. */
  events(token: string, operation: string, input: object): Promise<SentEvents>
  /** Kills it, like a machine that loses power. */
  kill(): Promise<void>
  /** Stops it gracefully, as when taken out of service; returns the exit code. */
  end(): Promise<number>
}

export interface TeamProcesses {
  readonly postgres: OwnDatabase
  readonly databaseUrl: string
  /** Token of the first admin. */
  readonly token: string
  readonly project: string
  start(environment?: Readonly<Record<string, string>>): Promise<Replica>
  close(): Promise<void>
}

export async function openTeamProcesses(environment: Readonly<Record<string, string>>): Promise<TeamProcesses> {
  const postgres = await newDatabase()
  const databaseUrl = postgres.url
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, KEN_MEMORY_LEARN: '0', ...environment }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [KEN, 'server', 'setup', '--organisation', 'Acme', '--email', 'ada@acme.example', '--project', 'shop'],
    { env },
  )
  const replicas: Replica[] = []
  return {
    postgres,
    databaseUrl,
    token: /ken_p_\w+/.exec(stdout)![0],
    project: /Project shop: (\S+)/.exec(stdout)![1]!,
    async start(more = {}) {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const child = spawn(process.execPath, [KEN, 'server', '--port', String(port)], {
        env: { ...env, KEN_PUBLIC_URL: url, ...more },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await new Promise<void>((up, down) => {
        let said = ''
        child.stderr!.on('data', (chunk) => {
          said += chunk
          if (said.includes('Ken serves')) up()
        })
        child.once('exit', () => down(new Error(`ken server ended: ${said}`)))
      })
      const replica = replicaOf(url, child)
      replicas.push(replica)
      return replica
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.kill()))
      await postgres.stop()
    },
  }
}

function replicaOf(url: string, child: ChildProcess): Replica {
  const asked = (token: string, operation: string, input: object, how: { accept: string; signal?: AbortSignal }) =>
    fetch(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: how.accept },
      body: JSON.stringify(input),
      ...(how.signal && { signal: how.signal }),
    })
  const ended = (): Promise<number> =>
    child.exitCode === null && child.signalCode === null
      ? once(child, 'exit').then(([code]) => code as number)
      : Promise.resolve(child.exitCode ?? -1)
  return {
    url,
    process: child,
    async call(token, operation, input = {}) {
      const response = await asked(token, operation, input, { accept: 'application/json' })
      return { status: response.status, body: await response.json() }
    },
    events: (token, operation, input) =>
      openEvents((signal) => asked(token, operation, input, { accept: 'text/event-stream', signal })),
    async kill() {
      child.kill('SIGKILL')
      await ended()
    },
    end() {
      child.kill('SIGTERM')
      return ended()
    },
  }
}
