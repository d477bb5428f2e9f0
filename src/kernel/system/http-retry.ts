import { setTimeout as wait } from 'node:timers/promises'

export interface RetryRules {
  readonly tries: number
  /** Milliseconds; three times as long after each try. */
  readonly firstPause: number
  readonly longestPause: number
  /** What to do when the other side asks for a longer pause than that. */
  readonly whenLonger: 'wait less' | 'give up'
  /** Whether a request that got no answer is sent again. */
  readonly withoutAnswer: boolean
  readonly signal?: AbortSignal
}

/**
 * Sends a request again after 429 and 5xx, waiting as long as it is told to. Gives the last answer, whatever it says;
 * throws what the last request threw, or the reason of the signal.
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

/** Undefined when there is no use in asking again. */
function pauseAfter(
  answer: Response | undefined,
  attempt: number,
  { firstPause, longestPause, whenLonger }: RetryRules,
): number | undefined {
  const told = toldPause(answer)
  if (told === undefined) return firstPause * 3 ** (attempt - 1)
  return told > longestPause && whenLonger === 'give up' ? undefined : Math.min(told, longestPause)
}

/** Retry-After in milliseconds: seconds, or a date that is compared with the clock of the other side. */
function toldPause(answer: Response | undefined): number | undefined {
  const told = answer?.headers.get('retry-after') ?? ''
  const pause = /^\d+$/.test(told)
    ? Number(told) * 1000
    : Date.parse(told) - Date.parse(answer?.headers.get('date') ?? '')
  return Number.isFinite(pause) ? Math.max(0, pause) : undefined
}
