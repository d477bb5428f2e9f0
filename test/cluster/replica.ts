import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { KEN } from '../ken-program.ts'
import { freePort } from '../postgres/server.ts'

/** A `ken server` process on a port that it keeps over restarts. */
export interface Replica {
  readonly url: string
  /** Resolves once it is serving. */
  start(): Promise<void>
  /** Like `kill -9`. */
  kill(): Promise<void>
  /** Graceful shutdown, as in a replacement. Returns the exit code. */
  leave(): Promise<number | null>
  /** Resident bytes; 0 while it is down. */
  memory(): number
  /** Log lines that report faults of Ken itself. */
  readonly faults: readonly string[]
}

export interface ReplicaOptions {
  readonly databaseUrl: string
  readonly publicUrl: string
  /** Path of another Ken to run. */
  readonly ken?: string
}

const LAST_WORDS = 2_000

export async function makeReplica({ databaseUrl, publicUrl, ken = KEN }: ReplicaOptions): Promise<Replica> {
  const port = await freePort()
  let child: ChildProcess | undefined
  let said = ''
  const faults: string[] = []
  const endBy = async (signal: NodeJS.Signals): Promise<number | null> => {
    const going = child
    child = undefined
    if (going === undefined || going.exitCode !== null || going.signalCode !== null) return going?.exitCode ?? null
    const ended = once(going, 'exit')
    going.kill(signal)
    return (await ended)[0] as number | null
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      const env = { ...process.env, DATABASE_URL: databaseUrl, KEN_PUBLIC_URL: publicUrl }
      const started = spawn(process.execPath, [ken, 'server', '--port', String(port)], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      createInterface({ input: started.stdout }).on('line', (line) => {
        if (line.includes('"fault":')) faults.push(line)
      })
      child = started
      const serves = new Promise<void>((done, failed) => {
        started.stderr.on('data', (chunk: Buffer) => {
          said = `${said}${String(chunk)}`.slice(-LAST_WORDS)
          if (/^Ken serves /m.test(String(chunk))) done()
        })
        // A kill during the start is intentional.
        started.once('exit', (code, signal) =>
          signal === 'SIGKILL' ? done() : failed(new Error(`ken server ended with ${code}: ${said}`)),
        )
      })
      await serves
    },
    kill: async () => void (await endBy('SIGKILL')),
    leave: () => endBy('SIGTERM'),
    memory: () =>
      child?.pid === undefined ? 0 : Number(spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)]).stdout) * 1024,
    faults,
  }
}
