import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'

type Answer = (request: Request, env?: unknown) => Response | Promise<Response>

// What is refused is mostly a little too large, or came too soon, and is here in a moment. Counted in steps: a process
// that was held up for long has not looked at what came meanwhile.
const [STEPS, STEP_MS] = [20, 50]
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Answers a request when its body has come to its end, also where nobody wanted all of it. The server ends connections
 * on which a body is still under way; whoever has sent all of theirs and was answered before that would send the next
 * request there.
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
  // Whoever began to read is done, and as a stream of the web it stops what comes until somebody reads on.
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
