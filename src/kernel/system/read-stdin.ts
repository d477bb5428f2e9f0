import { readSync } from 'node:fs'

const PAUSE = 10

/**
 * Reads all of standard input, waiting for a slow writer. `readFileSync(0)` does not wait: on a non-blocking pipe, as
 * between two Node programs, it fails with EAGAIN.
 */
export function readStdin(): string {
  const chunks: Buffer[] = []
  const buffer = Buffer.alloc(64 * 1024)
  for (;;) {
    const read = readSome(buffer)
    if (read === 0) return Buffer.concat(chunks).toString('utf8')
    if (read !== undefined) chunks.push(Buffer.from(buffer.subarray(0, read)))
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
  }
}

/** Undefined if no data is available yet. */
function readSome(buffer: Buffer): number | undefined {
  try {
    return readSync(0, buffer)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') return undefined
    // On Windows, the end of a pipe is reported this way.
    if (code === 'EOF') return 0
    throw error
  }
}
