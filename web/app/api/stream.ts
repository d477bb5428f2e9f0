import type { ChatEvent } from '../../../src/analyst/domain/chat/event.ts'
import type { ProgressPart } from '../../../src/kernel/ports/call.ts'
import type { Calls, OperationName } from './call.ts'
import { askForCode } from './confirmation.ts'
import { Fault, faultOf, notOffered, unreachable } from './fault.ts'
import { addressOf } from './place.ts'
import { isOffered } from './server.ts'
import { sessionHeaders } from './session.ts'

export interface Progress {
  readonly message: string
  readonly done: number
  /** 0 if unknown. */
  readonly total: number
  readonly parts?: readonly ProgressPart[]
}

export interface Listening {
  onProgress?(progress: Progress): void
  onChat?(event: ChatEvent): void
  /** The connection broke, and a second attempt failed too; further attempts follow. */
  onLost?(): void
  signal?: AbortSignal
  /**
   * Name of the call. A named call continues when the page closes, a second call of that name joins it, and `follow`
   * finds it again after a reload.
   */
  id?: string
}

/** Calls an operation and streams its progress; reconnects when the connection breaks. Throws a `Fault`. */
export const stream = <N extends OperationName>(
  project: string,
  name: N,
  input: Calls[N]['input'],
  listening: Listening = {},
): Promise<Calls[N]['output']> => listen(project, name, { input, listening, isAttached: false })

/** Follows a named call; undefined if none is running and none has ended recently. */
export const follow = <N extends OperationName>(
  project: string,
  name: N,
  listening: Listening & { id: string },
): Promise<Calls[N]['output'] | undefined> =>
  listen(project, name, { input: {}, listening, isAttached: true }).catch((thrown: unknown) => {
    // A call that was never confirmed did not start.
    if (thrown instanceof Fault && ['not_found', 'confirm_needed'].includes(thrown.code)) return undefined
    throw thrown
  })

/** Stops a named call. */
export async function stop(project: string, name: OperationName, id: string): Promise<void> {
  await fetch(addressOf(project, name), { method: 'DELETE', headers: { ...sessionHeaders(), 'x-ken-call': id } })
}

interface Wanted {
  readonly input: unknown
  readonly listening: Listening
  readonly isAttached: boolean
}

// Milliseconds between attempts to reconnect: about a minute in total.
const WAITS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

async function listen<N extends OperationName>(
  project: string,
  name: N,
  { input, listening, isAttached }: Wanted,
): Promise<Calls[N]['output']> {
  if (!isOffered(name)) throw notOffered()
  const { id, signal } = listening
  let last: string | undefined
  let failures = 0
  let mayBegin = !isAttached
  let code = {}
  for (;;) {
    // Reconnecting would run a call twice if it has no name and no resumable events.
    const mayReturn = id !== undefined || name === 'chat_follow'
    try {
      const response = await fetch(addressOf(project, name), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...sessionHeaders(),
          ...(id !== undefined && { 'x-ken-call': id }),
          ...code,
          ...(id !== undefined && !mayBegin && { 'x-ken-attach': 'only' }),
          ...(last !== undefined && { 'last-event-id': last }),
        },
        body: JSON.stringify(input),
        ...(signal && { signal }),
      })
      if (!response.ok) {
        const fault = await faultOf(response)
        if (isAttached) throw fault
        code = await askForCode(fault)
        continue
      }
      mayBegin = false
      code = {}
      for await (const event of readEvents(response.body!)) {
        failures = 0
        if (event.id !== undefined) last = event.id
        if (event.name === 'answer') return JSON.parse(event.data) as Calls[N]['output']
        if (event.name === 'error') throw toldFault(event.data)
        if (event.name === 'progress') listening.onProgress?.(JSON.parse(event.data) as Progress)
        if (event.name === 'chat') listening.onChat?.(JSON.parse(event.data) as ChatEvent)
      }
    } catch (thrown) {
      if (thrown instanceof Fault || signal?.aborted) throw thrown
      mayBegin = false
    }
    const wait = WAITS[failures++]
    if (!mayReturn || wait === undefined) throw unreachable()
    if (failures === 2) listening.onLost?.()
    await new Promise((resolve) => setTimeout(resolve, wait))
    signal?.throwIfAborted()
  }
}

function toldFault(data: string): Fault {
  const { error } = JSON.parse(data) as { error: { code: string; message: string; hint?: string } }
  return new Fault(error.code, error.message, { hint: error.hint, status: 200 })
}

/** One server-sent event. */
interface SentEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: string
}

/** Yields the events of a stream as they arrive; ends with the connection. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
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
