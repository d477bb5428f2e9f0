/** One server-sent event. */
export interface SentEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: string
}

/** Yields the events of a stream as they arrive; ends with the connection. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      waiting += decoder.decode(value, { stream: true })
      const whole = waiting.split('\n\n')
      waiting = whole.pop()!
      for (const text of whole) {
        const event = readEvent(text)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function readEvent(text: string): SentEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (name !== undefined) fields.set(name, value!)
  }
  const data = fields.get('data')
  return data === undefined ? undefined : { id: fields.get('id'), name: fields.get('event') ?? 'message', data }
}
