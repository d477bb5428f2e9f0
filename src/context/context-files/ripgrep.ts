import { spawn } from 'node:child_process'
import { AppError } from '../../kernel/domain/errors.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'

export interface RipgrepRun {
  readonly folder: string
  readonly words: readonly string[]
  /** Text to search instead of files. */
  readonly input?: string
  readonly milliseconds: number
  readonly signal: StopSignal | undefined
}

/**
 * Runs ripgrep and returns its output. It runs in a separate process, so that no pattern can block this one: its own
 * engine takes linear time, and PCRE2, used only for look-around and back-references, stops at a step limit.
 */
export async function runRipgrep(run: RipgrepRun): Promise<string> {
  const path = await ripgrepPath()
  if (run.signal?.aborted) throw stopped()
  const child = spawn(path, ['--no-config', '--color=never', ...run.words], {
    cwd: run.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let reason: AppError | undefined
  const halt = (why: AppError): void => {
    reason ??= why
    child.kill('SIGKILL')
  }
  const onAbort = (): void => halt(stopped())
  run.signal?.addEventListener('abort', onAbort)
  const timer = setTimeout(() => halt(tooLong(run.milliseconds)), run.milliseconds)
  const printed: Buffer[] = []
  let complaints = ''
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + String(chunk)).slice(0, 20_000)
    if (complaints.includes('limit exceeded')) halt(tooManySteps())
  })
  // ripgrep stops reading once it has found enough.
  child.stdin.on('error', () => undefined)
  child.stdin.end(run.input ?? '')
  try {
    await new Promise<void>((resolve, reject) =>
      child.once('error', (error) => reject(missing(error))).once('close', () => resolve()),
    )
  } finally {
    clearTimeout(timer)
    run.signal?.removeEventListener('abort', onAbort)
  }
  const fault = reason ?? faultOf(complaints)
  if (fault !== undefined) throw fault
  return Buffer.concat(printed).toString('utf8')
}

/** The npm package's binary, or the user's own on a platform without one. */
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (error) {
    // Windows would look in the project folder first, and a clone could contain an rg.exe.
    if (process.platform === 'win32') throw missing(error)
    return 'rg'
  }
}

/**
 * Returns the error for a complaint about the pattern; complaints about unreadable files are ignored, as everywhere.
 */
function faultOf(complaints: string): AppError | undefined {
  const lines = complaints.split('\n').filter((line) => line.trim() !== '' && !/\(os error \d+\)$/.test(line))
  if (lines.length === 0) return undefined
  const said =
    lines.find((line) => line.startsWith('error: '))?.slice('error: '.length) ?? lines[0]!.replace(/^rg: /, '')
  return new AppError('invalid_input', `The pattern cannot be used: ${said}.`, {
    hint: 'Fix it, or set literal to match it as plain text.',
  })
}

const tooLong = (milliseconds: number): AppError =>
  new AppError('unavailable', `The search was stopped after ${milliseconds / 1000} s.`, {
    hint: 'Pass `files`, or a pattern that starts with a word.',
    details: { reason: 'timeout' },
  })

const tooManySteps = (): AppError =>
  new AppError('invalid_input', 'The pattern takes too many steps on some line.', {
    hint: 'Write it without look-around, back-references or repetition inside repetition: then it takes one pass.',
  })

const stopped = (): AppError =>
  new AppError('unavailable', 'The search was stopped.', { details: { reason: 'stopped' } })

const missing = (cause: unknown): AppError =>
  new AppError('unavailable', 'ripgrep is not installed here.', {
    hint: 'Install Ken with its optional packages, or put `rg` on the PATH.',
    cause,
  })
