import { execFile } from 'node:child_process'
import type { ClientPlace } from './define-client.ts'

// A first start on a busy machine takes seconds.
const PATIENCE = 20_000

/**
 * Whether a command of the client succeeds. An unclear result counts as success; the run will then report the error.
 */
export const saysYes = async (place: ClientPlace, words: readonly string[]): Promise<boolean> => {
  const { code, said } = await askProgram(place, words)
  return code !== 1 || !/logged ?in/i.test(said)
}

/** Output of a short client command, on either stream. */
export function askProgram(
  { program, environment, home }: ClientPlace,
  words: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly said: string }> {
  return new Promise((resolve) =>
    execFile(
      program,
      [...words],
      // Runs in the home folder: the folder where Ken was started may be untrusted.
      { env: environment, cwd: home, timeout: PATIENCE, encoding: 'utf8', killSignal: 'SIGKILL' },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, out, said: out + err })
      },
    ),
  )
}
