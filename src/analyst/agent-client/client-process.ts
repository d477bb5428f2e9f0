import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProcessStart {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** Text written to standard input. */
  readonly input: string
}

export interface ClientProcess {
  /** Yields the process's output line by line, until it closes its output or is ended. Throws if it prints too much. */
  lines(): AsyncGenerator<string>
  /** Returns the end of the process's standard error. */
  complaint(): string
  /** Resolves with the exit code, or with another reason why the process ended. */
  readonly ended: Promise<number | string>
  /** Asks the process to end, without signalling its children. */
  interrupt(): void
  /** Ends the process and its children; resolves when they are gone. */
  end(): Promise<void>
}

export class TooMuch extends Error {}

// A tool's longest answer, twice over and escaped, is under two million characters.
const LONGEST_LINE = 8_000_000
const LONGEST_OUTPUT = 200_000_000
const COMPLAINT = 4_000
// Milliseconds for the client to save its session before it is killed.
const GRACE = 1_500
const LOOK_EVERY = 50

const running = new Set<number>()
let isWatching = false

/** Starts a client as the leader of a separate process group, so that its children end with it. */
export function startProcess(start: ProcessStart): ClientProcess {
  const child = spawn(start.program, start.arguments, {
    cwd: start.folder,
    env: start.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  watchExit()
  if (child.pid !== undefined) running.add(child.pid)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT)
  })
  const ended = new Promise<number | string>((done) => {
    child.once('error', (error) => {
      child.stdout.destroy()
      done(`it cannot be started: ${error.message}`)
    })
    child.once('exit', (code, signal) => done(code ?? `it was killed (${signal}) before it had answered`))
  })
  // An exited client does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(start.input)
  return {
    lines: () => linesOf(child),
    complaint: () => complaint,
    ended,
    interrupt: () => void child.kill('SIGTERM'),
    async end() {
      await endGroup(child, ended)
      if (child.pid !== undefined) running.delete(child.pid)
    },
  }
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
  let rest = ''
  let printed = 0
  try {
    for await (const chunk of child.stdout!.setEncoding('utf8')) {
      printed += (chunk as string).length
      const lines = (rest + (chunk as string)).split('\n')
      rest = lines.pop()!
      if (rest.length > LONGEST_LINE || printed > LONGEST_OUTPUT) throw new TooMuch()
      yield* lines
    }
  } catch (error) {
    // Ending the client closes its output from this side.
    if (error instanceof TooMuch || !child.stdout!.destroyed) throw error
  }
  if (rest !== '') yield rest
}

async function endGroup(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.pid === undefined) return
  if (isAlive(child.pid)) {
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(GRACE, undefined, { ref: false })])
    killGroup(child.pid)
    await ended
    for (let waited = 0; waited < GRACE && isAlive(child.pid); waited += LOOK_EVERY) await sleep(LOOK_EVERY)
  }
  // A child that left the group may keep the stream open forever.
  child.stdout!.destroy()
  child.stderr!.destroy()
}

/** Whether any process of the group remains. */
function isAlive(group: number): boolean {
  if (process.platform === 'win32') return running.has(group)
  try {
    process.kill(-group, 0)
    return true
  } catch (error) {
    // A process of the group runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function killGroup(group: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(group), '/t', '/f'], { windowsHide: true })
    return
  }
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

/** Kills running groups on exit: a separate group would otherwise survive if Ken exits during a run. */
function watchExit(): void {
  if (isWatching) return
  isWatching = true
  process.on('exit', () => {
    for (const group of running) killGroup(group)
  })
}
