import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import type { Context } from '../../operations/context.ts'

/** The channels of a running call. */
export interface StreamedCall {
  readonly hear: NonNullable<Context['hear']>
  readonly progress: Context['progress']
  /** Aborted when the reader has disconnected. */
  readonly signal: AbortSignal
}

export interface StreamOptions {
  /** Milliseconds of silence after which a line keeps the connection alive. */
  readonly heartbeat: number
  /** Converts a failure to a response. */
  failure(thrown: unknown): Response
  /** Aborted when the reader is no longer allowed to receive events. */
  readonly end?: AbortSignal | undefined
}

/**
 * A call as server-sent events: `chat` and `progress` as they occur, then `answer` or `error`. A refusal before the
 * first event is an ordinary response with its status.
 */
export async function streamCall(
  request: Request,
  run: (call: StreamedCall) => Promise<Readonly<Record<string, unknown>>>,
  { heartbeat, failure, end }: StreamOptions,
): Promise<Response> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave)
  const waiting = openWaitingEvents()
  const cut = (): void => {
    waiting.end('dropped')
    leave()
  }
  end?.addEventListener('abort', cut)
  const refusals: Response[] = []
  const running = run({
    signal: gone.signal,
    hear: (event) => waiting.put({ name: 'chat', value: event }),
    progress: (message, done, total, parts) =>
      void waiting.put({ name: 'progress', value: { message, done, total, ...(parts && { parts }) } }),
  })
    .then(
      (answer) => void waiting.put({ name: 'answer', value: answer }),
      async (thrown: unknown) => {
        const told = failure(thrown)
        refusals.push(told.clone())
        void waiting.put({ name: 'error', value: (await told.json()) as Record<string, unknown> })
      },
    )
    .finally(() => {
      request.signal.removeEventListener('abort', leave)
      end?.removeEventListener('abort', cut)
      waiting.end('kept')
    })
  await waiting.next(heartbeat)
  if (refusals[0] !== undefined && waiting.isFirst('error')) {
    await running
    return refusals[0]
  }
  return new Response(streamOf(waiting, heartbeat, cut), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

interface Waiting {
  readonly name: 'chat' | 'progress' | 'answer' | 'error'
  readonly value: ChatEvent | Readonly<Record<string, unknown>>
}

// A producer that can wait resumes when fewer than this many events are unread.
const FEW = 64

/**
 * Events not read yet. Texts are joined and progress is replaced, so that for a slow or absent reader at most the parts
 * of one turn are kept.
 */
function openWaitingEvents() {
  const events: Waiting[] = []
  let isOver = false
  let wake = (): void => {}
  let letGoOn = (): void => {}
  let room: Promise<void> | undefined
  return {
    put(event: Waiting): Promise<void> | void {
      if (isOver) return
      const last = events.at(-1)
      const joined = last === undefined ? undefined : join(last, event)
      if (joined === undefined) events.push(event)
      else events[events.length - 1] = joined
      wake()
      if (events.length >= FEW) return (room ??= new Promise((resolve) => (letGoOn = resolve)))
    },
    take(): Waiting | undefined {
      const event = events.shift()
      if (events.length < FEW && room !== undefined) {
        room = undefined
        letGoOn()
      }
      return event
    },
    /** Resolves when there is an event, none can follow, or the given number of milliseconds has passed. */
    async next(milliseconds: number): Promise<void> {
      if (events.length > 0 || isOver) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    isFirst: (name: Waiting['name']): boolean => events[0]?.name === name,
    isDone: (): boolean => isOver && events.length === 0,
    /** Accepts no more events; pending ones can still be read, unless they are dropped. */
    end(unread: 'kept' | 'dropped'): void {
      isOver = true
      if (unread === 'dropped') events.length = 0
      letGoOn()
      wake()
    },
  }
}

function join(last: Waiting, next: Waiting): Waiting | undefined {
  if (last.name === 'progress' && next.name === 'progress') return next
  if (last.name !== 'chat' || next.name !== 'chat') return undefined
  const [before, event] = [last.value as ChatEvent, next.value as ChatEvent]
  if (event.type !== 'more' || (before.type !== 'more' && before.type !== 'part')) return undefined
  if (partOf(before.id) !== partOf(event.id)) return undefined
  if (before.type === 'more')
    return { name: 'chat', value: { ...before, id: event.id, text: before.text + event.text } }
  if (before.part.kind !== 'text' && before.part.kind !== 'reasoning') return undefined
  return {
    name: 'chat',
    value: { ...before, id: event.id, part: { ...before.part, text: before.part.text + event.text } },
  }
}

const partOf = (id: string): string | undefined => id.split('.')[0]

// Joins pending events up to about the size that a socket accepts.
const PIECE = 64 * 1024

/** Events are written only when read, so a reader that pauses applies back pressure. */
function streamOf(
  waiting: ReturnType<typeof openWaitingEvents>,
  heartbeat: number,
  cut: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let before = RECONNECT
  return new ReadableStream(
    {
      async pull(controller) {
        await waiting.next(heartbeat)
        let piece = before
        before = ''
        for (let event = waiting.take(); event !== undefined; event = waiting.take()) {
          piece += written(event)
          if (piece.length > PIECE) break
        }
        if (piece !== '') controller.enqueue(encoder.encode(piece))
        else if (!waiting.isDone()) controller.enqueue(encoder.encode(':\n\n'))
        if (waiting.isDone()) controller.close()
      },
      cancel: cut,
    },
    { highWaterMark: 0 },
  )
}

/** Milliseconds before a browser reconnects. */
const RECONNECT = 'retry: 1000\n\n'

function written({ name, value }: Waiting): string {
  const id = name === 'chat' && 'id' in value ? `id: ${String(value.id)}\n` : ''
  return `${id}event: ${name}\ndata: ${JSON.stringify(visibleDeep(value))}\n\n`
}
