import type { Socket } from 'node:net'
import { AppError } from '../../kernel/domain/errors.ts'

const LOOK_MS = 25
// A server may pause between two rows of one response.
const PAUSE_LOOKS = 40
const MB = 1024 ** 2
const MOST = 256 * MB

/**
 * Closes a connection if a response arrives without a pause and without an end: drivers buffer a row until it is
 * complete, and one cell may be a gigabyte. Counts network bytes, so that it also works under TLS.
 */
export function boundedSocket<S extends Socket>(socket: S): S {
  let last = 0
  let start = 0
  let quiet = 0
  const watch = setInterval(() => {
    const read = socket.bytesRead
    quiet = read === last ? quiet + 1 : 0
    if (quiet >= PAUSE_LOOKS) start = read
    last = read
    if (read - start > MOST)
      socket.destroy(
        new AppError('unavailable', `the answer is larger than ${MOST / MB} MB and was not read completely`, {
          hint: 'Ask for fewer or shorter values.',
          details: { reason: 'memory' },
        }),
      )
  }, LOOK_MS)
  watch.unref()
  socket.once('close', () => clearInterval(watch))
  return socket
}
