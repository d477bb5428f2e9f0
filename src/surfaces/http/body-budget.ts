/** Reserves room for a request; returns the release function, undefined if full. */
export type TakeRoom = (request: Request) => (() => void) | undefined

/**
 * Total bytes for the bodies of all calls in progress. A body counts from before it is read until its call has ended,
 * with its declared length or the maximum.
 */
export function openBodyBudget(most: number, largest: number): TakeRoom {
  let taken = 0
  return (request) => {
    const size = sizeOfBody(request, largest)
    if (taken + size > most) return undefined
    taken += size
    let isTaken = true
    return () => {
      if (isTaken) taken -= size
      isTaken = false
    }
  }
}

/** The declared length, or the maximum. */
export function sizeOfBody({ method, headers }: Request, largest: number): number {
  if (method === 'GET' || method === 'HEAD') return 0
  const said = headers.get('content-length')
  if (said === null) return headers.has('transfer-encoding') ? largest : 0
  return Math.min(largest, Number(said))
}

/** The same response, with a callback when its last byte is sent or the reader has disconnected. */
export function whenRead(response: Response, over: () => void): Response {
  if (response.body === null || !isEventStream(response)) {
    over()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          over()
          throw error
        })
        if (done) {
          over()
          controller.close()
        } else controller.enqueue(value)
      },
      async cancel(reason) {
        over()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

export const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true
