import { setTimeout as wait } from 'node:timers/promises'

export interface RetryRules {
  readonly tries: number
  /** Milliseconds; tripled after each try. */
  readonly firstPause: number
  readonly longestPause: number
  /** Behaviour if the server requests a longer pause. */
  readonly whenLonger: 'wait less' | 'give up'
  /** Whether a request without an answer is retried. */
  readonly withoutAnswer: boolean
  readonly signal?: AbortSignal
}

/**
 * Retries a request after 429 and 5xx, respecting Retry-After. Returns the last response, regardless of its status;
 * throws the error of the last request, or the signal's reason.
 */
export async function fetchWithRetries(send: () => Promise<Response>, rules: RetryRules): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= rules.tries
    const answer = await send().catch((error: unknown) => {
      if (isLast || !rules.withoutAnswer) throw error
      return undefined
    })
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) return answer
    const pause = isLast ? undefined : pauseAfter(answer, attempt, rules)
    if (pause === undefined) return answer!
    await answer?.body?.cancel()
    await wait(pause, undefined, { ...(rules.signal !== undefined && { signal: rules.signal }) })
  }
}

/** Milliseconds to wait; undefined if the server requests more than allowed. */
function pauseAfter(
  answer: Response | undefined,
  attempt: number,
  { firstPause, longestPause, whenLonger }: RetryRules,
): number | undefined {
  const told = toldPause(answer)
  if (told === undefined) return firstPause * 3 ** (attempt - 1)
  return told > longestPause && whenLonger === 'give up' ? undefined : Math.min(told, longestPause)
}

/** Retry-After in milliseconds. A date is compared with the server's clock. */
function toldPause(answer: Response | undefined): number | undefined {
  const told = answer?.headers.get('retry-after') ?? ''
  const pause = /^\d+$/.test(told)
    ? Number(told) * 1000
    : Date.parse(told) - Date.parse(answer?.headers.get('date') ?? '')
  return Number.isFinite(pause) ? Math.max(0, pause) : undefined
}
