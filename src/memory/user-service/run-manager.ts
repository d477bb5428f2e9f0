import { execFile } from 'node:child_process'
import { AppError } from '../../kernel/domain/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const PATIENCE = 20_000

/** Runs a service manager's command; code -1 means that it could not be started or did not end. */
export function runManager(command: string, words: readonly string[], environment: Environment): Promise<Ran> {
  return new Promise((resolve) =>
    execFile(
      command,
      [...words],
      { env: environment as NodeJS.ProcessEnv, timeout: PATIENCE, encoding: 'utf8' },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, out, err: err.trim() || (error?.message ?? '') })
      },
    ),
  )
}

/** Throws the service manager's message, as one line. */
export async function mustRun(command: string, words: readonly string[], environment: Environment): Promise<Ran> {
  const ran = await runManager(command, words, environment)
  if (ran.code === 0) return ran
  throw new AppError('unavailable', `\`${command} ${words.join(' ')}\` failed: ${ran.err.split('\n')[0]}`, {
    hint: 'Run that command yourself to see more, or run `ken watch` in a terminal.',
  })
}
