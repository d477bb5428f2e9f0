export interface SentEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: unknown
}

export interface SentEvents {
  /** Undefined when the stream has ended. */
  next(): Promise<SentEvent | undefined>
  rest(): Promise<SentEvent[]>
  /** Disconnects without notice, like a closed browser. */
  leave(): void
}

/** A client's stream of server-sent events. */
export async function openEvents(ask: (signal: AbortSignal) => Promise<Response>): Promise<SentEvents> {
  const gone = new AbortController()
  const response = await ask(gone.signal)
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<SentEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        text += value
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const [event, data] = [field('event'), field('data')]
      if (event !== undefined && data !== undefined) return { event, id: field('id'), data: JSON.parse(data) }
    }
  }
  return {
    next,
    async rest() {
      const all: SentEvent[] = []
      for (let event = await next(); event !== undefined; event = await next()) all.push(event)
      return all
    },
    leave() {
      reader.cancel().catch(() => {})
      gone.abort()
    },
  }
}
