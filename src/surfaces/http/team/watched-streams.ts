import { isEventStream } from '../body-budget.ts'

export interface WatchedStreams {
  /**
   * The same response. For a stream that continues, `begin` is called once: it reads the current permissions of its
   * reader, and returns a check of whether they still apply. If not, the stream ends.
   */
  watch(response: Response, holder: string, begin: () => Promise<Lasts>): Response
}

export type Lasts = () => Promise<boolean>

export interface WatchOptions {
  /** Milliseconds between checks of a reader's permissions. */
  readonly every: number
  /**
   * Maximum number of streams per holder, because each keeps a connection open; a stream beyond the maximum is ended.
   */
  readonly most: number
}

// Most MCP responses are streams that end at once: these are not checked.
const SHORT_MS = 500

/** Responses that continue after their caller's permissions were checked. */
export function openWatchedStreams({ every, most }: WatchOptions): WatchedStreams {
  const held = new Map<string, number>()
  const takePlace = (holder: string): (() => void) | undefined => {
    const taken = held.get(holder) ?? 0
    if (taken >= most) return undefined
    held.set(holder, taken + 1)
    return () => {
      const left = held.get(holder)! - 1
      if (left === 0) held.delete(holder)
      else held.set(holder, left)
    }
  }
  return {
    watch(response, holder, begin) {
      if (response.body === null || !isEventStream(response)) return response
      const { ended, stop } = openWatch({ every, begin, takePlace: () => takePlace(holder) })
      const { status, headers } = response
      return new Response(untilEnded(response.body, ended, stop), { status, headers })
    },
  }
}

function openWatch({
  every,
  begin,
  takePlace,
}: {
  readonly every: number
  readonly begin: () => Promise<Lasts>
  readonly takePlace: () => (() => void) | undefined
}): { readonly ended: Promise<'ended'>; stop(): void } {
  const { promise: ended, resolve } = Promise.withResolvers<'ended'>()
  let giveBack: (() => void) | undefined
  let lasts: Lasts | undefined
  const look = async (): Promise<void> => {
    lasts ??= await begin()
    if (!(await lasts())) resolve('ended')
  }
  let timer = setTimeout(
    () => {
      giveBack = takePlace()
      if (giveBack === undefined) return resolve('ended')
      const lookAgain = (): void => {
        // An unreachable database does not revoke permissions.
        void look().catch(() => undefined)
      }
      lookAgain()
      timer = setInterval(lookAgain, every)
    },
    Math.min(SHORT_MS, every),
  )
  return {
    ended,
    stop() {
      clearTimeout(timer)
      giveBack?.()
      giveBack = undefined
    },
  }
}

function untilEnded(
  source: ReadableStream<Uint8Array>,
  ended: Promise<'ended'>,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await Promise.race([reader.read(), ended]).catch((thrown: unknown) => {
          stop()
          throw thrown
        })
        if (next !== 'ended' && !next.done) return controller.enqueue(next.value)
        stop()
        controller.close()
        if (next === 'ended') await reader.cancel()
      },
      async cancel(reason) {
        stop()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
