import { AppError } from '../domain/errors.ts'
import type { StopSignal } from '../domain/stop.ts'
import { networkCause } from './network-cause.ts'

/** Requests only the given address: a redirect would send the text to an address that no setting names. */
export const fetchInPlace: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

export function toAbortSignal(stop: StopSignal): AbortSignal {
  if (stop instanceof AbortSignal) return stop
  const controller = new AbortController()
  if (stop.aborted) controller.abort()
  else stop.addEventListener('abort', () => controller.abort())
  return controller.signal
}

export interface FailedCall {
  /** Display name, e.g. `ollama:qwen3`. */
  readonly model: string
  readonly url: string
  readonly isStopped: boolean
  readonly status: number | undefined
  readonly error: unknown
  /** Next step if no server is listening; `pull` is the next step if the model is unknown to the server. */
  readonly start: string
  readonly pull: string
}

/** Statuses timeout, conflict, too early and too many requests: each may succeed on a retry. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429])

/**
 * Error for a model that did not answer, on one line. The server's message is not repeated: it may contain anything.
 */
export function modelFault(call: FailedCall): AppError {
  const { model, status } = call
  const host = URL.canParse(call.url) ? new URL(call.url).host : call.url
  const fault = (what: string, hint: string): AppError =>
    new AppError('unavailable', `${model} ${what}`, {
      hint,
      cause: call.error,
      details: { retry: status === undefined || status >= 500 || PASSING.has(status) },
    })
  if (call.isStopped)
    return fault('did not answer in time', 'Try again: a model that is still loading is slow the first time.')
  if (status === undefined) return fault(`cannot be reached at ${host} (${networkCause(call.error)})`, call.start)
  if (status === 401 || status === 403)
    return fault(
      `was refused by ${host} (${status})`,
      'Check the key: its environment variable must be set where Ken runs.',
    )
  if (status === 404) return fault(`is not known at ${host} (404)`, call.pull)
  if (status === 429) return fault(`is busy, or its quota is used up (429 from ${host})`, 'Try again later.')
  if (status < 400)
    return fault(
      `gave an answer that cannot be read (from ${host})`,
      'Check that the address is the right kind of endpoint.',
    )
  return fault(
    `failed (${status} from ${host})`,
    status >= 500
      ? 'Look at the log of that server, or try again later.'
      : 'Check the name of the model and the address.',
  )
}
