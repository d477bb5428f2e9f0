import { spawn, type ChildProcess } from 'node:child_process'

export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  /** Output so far. */
  said(): { out: string; err: string }
  /** Sends the signal if there is one, waits for the exit, and returns the output and the exit code. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; out: string; err: string }>
}

export function start(argv: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Running {
  const child = spawn(process.execPath, [...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += String(data)))
  child.stderr.on('data', (data: Buffer) => (err += String(data)))
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    child,
    pid: child.pid!,
    said: () => ({ out, err }),
    async end(signal) {
      if (signal !== undefined) child.kill(signal)
      return { code: await closed, out, err }
    },
  }
}
