import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { KEN } from './ken-program.ts'

const PID = /^pid (\d+)\r\n/

export interface Sitting {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns?: number
  /** Keys to type when a question appears on the screen, in this order. */
  readonly answers?: readonly (readonly [question: string, keys: Keys])[]
}

/** Keys to type, or a function that acts on the process first and returns them. */
export type Keys = string | ((pid: number) => string | Promise<string>)

export interface Screen {
  /** Complete output with escape sequences; lines end in \n. */
  readonly raw: string
  /** Without colours. */
  readonly text: string
  readonly code: number
}

/** Runs `ken` in a real pseudo-terminal of the given size and types the answers. */
export const atTerminal = (words: readonly string[], sitting: Sitting): Promise<Screen> =>
  programAtTerminal([process.execPath, KEN, ...words], sitting)

export async function programAtTerminal(
  line: readonly string[],
  { cwd, env, columns = 80, answers = [] }: Sitting,
): Promise<Screen> {
  const command = line.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const isWatched = answers.some(([, keys]) => typeof keys === 'function')
  const typed = `stty cols ${columns} rows 40; ${isWatched ? 'echo pid $$; ' : ''}exec ${command}`
  const child = spawn(
    'script',
    process.platform === 'darwin' ? ['-qe', '/dev/null', 'sh', '-c', typed] : ['-qec', typed, '/dev/null'],
    { cwd, env: { PATH: process.env['PATH'], TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', ...env } },
  )
  const waiting = [...answers]
  let raw = ''
  let from = 0
  const keysOf = (keys: Keys): string | Promise<string> =>
    typeof keys === 'string' ? keys : keys(Number(PID.exec(raw)![1]))
  // A program may end before its last key is typed.
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk
    const [next] = waiting
    if (next === undefined || !raw.slice(from).includes(next[0])) return
    waiting.shift()
    from = raw.length
    // The prompt starts to listen a moment after it is drawn.
    void wait(50).then(async () => child.stdin.write(await keysOf(next[1])))
  })
  const code = await new Promise<number>((ended, failed) => {
    child.on('error', failed)
    child.on('close', (status) => ended(status ?? -1))
  })
  const lines = raw.replace(isWatched ? PID : '', '').replaceAll('\r\n', '\n')
  // eslint-disable-next-line no-control-regex
  return { raw: lines, text: lines.replaceAll(/\u001b\[[\d;]*m/g, ''), code }
}
