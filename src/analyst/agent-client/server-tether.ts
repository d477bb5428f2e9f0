import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** Address at which a server started by a client finds its Ken process. */
export const TETHER = 'KEN_TETHER'

export interface ServerTether {
  readonly address: string
  /** Whether any server ever connected to the tether. */
  wasUsed(): boolean
  /** Ends every connected server; resolves when they are gone, or soon after. */
  cut(): Promise<void>
}

// Milliseconds for a server to close its databases before it ends.
const PATIENCE = 10_000

/**
 * Ties the servers that a client starts to this process: each gets its environment over this connection, so that it is
 * in no file, no command line and no client variable; and each ends when the tether is cut, however the client ended.
 */
export async function openTether(
  /** Folder of the socket, accessible only to this user: socket permissions are not enforced everywhere. */
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServerTether> {
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\ken-${randomBytes(16).toString('hex')}` : join(folder, 's')
  const open = new Set<Socket>()
  const pids = new Map<Socket, number>()
  let isUsed = false
  const told = `${JSON.stringify(environment)}\n`
  const server = createServer((socket) => {
    isUsed = true
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.setEncoding('utf8').on('data', (said: string) => pids.set(socket, Number(said)))
    socket.write(told)
  })
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(address, ready))
  const cut = async (): Promise<void> => {
    const gone = new Promise<void>((done) => server.close(() => done()))
    for (const socket of open) socket.end()
    const late = setTimeout(() => {
      for (const socket of open) {
        kill(pids.get(socket))
        socket.destroy()
      }
    }, PATIENCE)
    await gone
    clearTimeout(late)
  }
  let cutting: Promise<void> | undefined
  return { address, wasUsed: () => isUsed, cut: () => (cutting ??= cut()) }
}

function kill(pid: number | undefined): void {
  if (pid === undefined || !(Number.isSafeInteger(pid) && pid > 1)) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has just ended.
  }
}
