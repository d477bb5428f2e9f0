import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'

type Answer = (request: Request, env?: unknown) => Response | Promise<Response>

// A refused request is mostly slightly too large or too early, and complete in a moment. Counted in steps: a process
// that was blocked for long has not processed data that arrived meanwhile.
const [STEPS, STEP_MS] = [20, 50]
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Responds to a request after its body has ended, even if not all of it was needed. The server closes connections with
 * a body in progress; a client that was answered earlier but has sent everything would use that connection for its next
 * request.
 */
export const afterBody =
  (answer: Answer): Answer =>
  async (request, env) => {
    const response = await answer(request, env)
    const { incoming } = (env ?? {}) as { readonly incoming?: IncomingMessage }
    if (incoming !== undefined && hasBody(incoming) && !incoming.readableEnded && !incoming.destroyed)
      await dropBody(incoming)
    return response
  }

const hasBody = ({ headers }: IncomingMessage): boolean => 'content-length' in headers || 'transfer-encoding' in headers

async function dropBody(incoming: IncomingMessage): Promise<void> {
  // The reader is done, but its web stream would pause the input until it is read further.
  incoming.removeAllListeners('data')
  if (Number(incoming.headers['content-length'] ?? 0) > MOST_BYTES) return
  const over = new AbortController()
  let bytes = 0
  const count = ({ length }: Buffer): void => {
    bytes += length
    if (bytes > MOST_BYTES) over.abort()
  }
  const end = (): void => over.abort()
  incoming.on('data', count).once('end', end).once('close', end).resume()
  for (let left = STEPS; left > 0 && !over.signal.aborted; left--)
    await setTimeout(STEP_MS, undefined, over).catch(() => undefined)
  incoming.off('data', count).off('end', end).off('close', end)
}
