import { ERROR_TABLE } from '../../kernel/domain/errors.ts'

/**
 * Ends no program because of its output. If the reader has gone, as `head` does after its lines, the rest is dropped and
 * the command finishes with its own exit code; any other failure is one line on standard error.
 */
export function guardOutput({ stdout, stderr, exit }: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>): void {
  for (const output of [stdout, stderr])
    output.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') return
      if (output === stdout) stderr.write(`ken: Cannot write to standard output: ${message}.\n`)
      exit(ERROR_TABLE.unavailable.exit)
    })
}
