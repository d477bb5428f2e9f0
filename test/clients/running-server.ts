import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A running `ken serve --http`, with the data that setup and a client need. */
export interface RunningServer {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

interface Start {
  readonly program: string
  /** Further arguments of the command. */
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export async function openRunningServer({ program, words, cwd, env }: Start): Promise<RunningServer> {
  const port = String(await freePort())
  const child = spawn(program, ['serve', '--http', '--port', port, ...words], {
    cwd,
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await new Promise<void>((ready, fail) => {
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Ken listens on')) ready()
    })
    child.on('close', () => fail(new Error(`The server did not start: ${said}`)))
  })
  return {
    env: { KEN_PORT: port, KEN_HTTP_TOKEN: readFileSync(join(env['HOME']!, '.ken', 'http-token'), 'utf8').trim() },
    close: () =>
      new Promise((done) => {
        child.on('close', () => done())
        child.kill('SIGTERM')
      }),
  }
}

/** Setup writes the port before the server starts, so the server cannot choose it. */
function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => found(port))
    })
  })
}
