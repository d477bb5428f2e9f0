import { spawn, type ChildProcess } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'

export interface CommandParts {
  readonly command: string
  readonly args: readonly string[]
  /** Complete: nothing is added from Ken's own environment. */
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  /** Maximum bytes that the program may write per request. */
  readonly most: number
}

export interface CommandTransport extends Transport {
  /** Why the server ended, as the end of a sentence; undefined while it runs. */
  readonly ended: string | undefined
}

// Milliseconds that a server has for exiting when asked to.
const LAST_WORDS = 1_000
const TOLD = 200

/**
 * Transport for a program that uses MCP over its standard streams. The SDK's transport leaves a server's child
 * processes running (`npx` starts a shell, the shell starts the server): here the whole process group is killed.
 */
export function openCommandTransport({ command, args, env, folder, most }: CommandParts): CommandTransport {
  let child: ChildProcess | undefined
  let ended: string | undefined
  let line: Buffer[] = []
  let lineLength = 0
  let written = 0
  let complaint = ''

  const isGrouped = process.platform !== 'win32'
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid === undefined) return
    try {
      if (isGrouped) process.kill(-child.pid, name)
      else child.kill(name)
    } catch {
      // Already gone.
    }
  }
  const killNow = (): void => signal('SIGKILL')

  const transport: CommandTransport = {
    get ended() {
      return ended
    },
    async start() {
      child = spawn(command, args, {
        cwd: folder,
        env,
        shell: false,
        detached: isGrouped,
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      process.once('exit', killNow)
      child.stderr!.on('data', (data: Buffer) => (complaint = (complaint + data.toString('utf8')).slice(-4 * TOLD)))
      child.stdin!.on('error', () => {})
      child.stdout!.on('data', (data: Buffer) => take(data))
      child.on('close', (code, by) => end(by === null ? `it ended with ${code}` : `it was ended by ${by}`))
      await new Promise<void>((started, failed) => {
        child!.on('spawn', started)
        child!.on('error', (error: NodeJS.ErrnoException) => {
          end(
            error.code === 'ENOENT'
              ? `there is no program "${visibleLine(command)}"`
              : `it cannot be started (${error.code})`,
          )
          failed(error)
        })
      })
    },
    async send(message) {
      if (ended !== undefined || child === undefined) throw new Error('the server has ended')
      // Unsolicited output counts towards the last request.
      if ('id' in message && 'method' in message) written = 0
      const isTaken = child.stdin!.write(`${JSON.stringify(message)}\n`)
      if (!isTaken)
        await new Promise<void>((drained) => void child!.stdin!.once('drain', drained).once('close', drained))
    },
    async close() {
      if (ended !== undefined || child === undefined) return killNow()
      const gone = new Promise<void>((resolved) => void child!.once('close', () => resolved()))
      child.stdin!.end()
      signal('SIGTERM')
      const killing = setTimeout(killNow, LAST_WORDS)
      await Promise.race([gone, new Promise((passed) => void setTimeout(passed, 2 * LAST_WORDS).unref())])
      clearTimeout(killing)
      killNow()
      end('it was closed')
    },
  }

  function end(why: string): void {
    if (ended !== undefined) return
    const last = complaint.trim().split('\n').at(-1) ?? ''
    ended = last === '' || why === 'it was closed' ? why : `${why}; it said last: ${visibleLine(last).slice(-TOLD)}`
    process.off('exit', killNow)
    // The server's child processes may outlive it.
    killNow()
    child?.stdout?.destroy()
    child?.stderr?.destroy()
    transport.onclose?.()
  }

  function take(data: Buffer): void {
    written += data.length
    if (written > most) {
      end(`it wrote more than ${Math.round(most / 1024 / 1024)} MB at once`)
      return
    }
    let from = 0
    for (let at = data.indexOf(10); at >= 0 && ended === undefined; at = data.indexOf(10, from)) {
      const whole = Buffer.concat([...line, data.subarray(from, at)], lineLength + at - from).toString('utf8')
      line = []
      lineLength = 0
      from = at + 1
      tell(whole)
    }
    if (from < data.length) {
      line.push(data.subarray(from))
      lineLength += data.length - from
    }
  }

  /** Ignores other output of servers, such as a greeting. */
  function tell(text: string): void {
    if (!text.trimStart().startsWith('{')) return
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return
    }
    transport.onmessage?.(message as JSONRPCMessage)
  }

  return transport
}
