import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../domain/errors.ts'
import { otlpTraces } from '../domain/tracing/otlp-traces.ts'
import type { Span, SpanFacts, TraceParent } from '../domain/tracing/span.ts'
import type { Random } from '../ports/random.ts'
import type { Tracer } from '../ports/tracer.ts'

export interface OtlpOptions {
  /** Address for spans. The address and the headers may contain keys, so neither is ever shown. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Identifies the process. */
  readonly resource: SpanFacts
  /** Share of traces that is sent, 0 to 1. */
  readonly ratio: number
  readonly chance: Random
  /** Milliseconds since 1970, with their fractions. */
  now(): number
}

const MOST_WAITING = 4_096
const AT_ONCE = 512
const EVERY_MS = 2_000
const PATIENCE_MS = 5_000

/** Sends spans to an OTLP collector over HTTP, as JSON. Spans not accepted in time are dropped. */
export function openOtlpTracer(options: OtlpOptions): Tracer {
  const current = new AsyncLocalStorage<TraceParent & { readonly told: boolean }>()
  const waiting: Span[] = []
  let sending: Promise<void> | undefined
  const send = (): Promise<void> => (sending ??= sendAll(waiting, options).finally(() => (sending = undefined)))
  const timer = setInterval(() => void send(), EVERY_MS)
  timer.unref()
  return {
    async span(name, { kind = 'internal', facts = {}, parent }, work) {
      const around = parent ?? current.getStore()
      const trace = around?.trace ?? hex(options.chance, 16)
      const told = current.getStore()?.told ?? isChosen(trace, options.ratio)
      const id = hex(options.chance, 8)
      const known: Record<string, SpanFacts[string]> = { ...facts }
      const began = options.now()
      let failed = false
      try {
        return await current.run({ trace, id, told }, () => work((more) => Object.assign(known, more)))
      } catch (error) {
        failed = true
        known['error.type'] = error instanceof AppError ? error.code : 'internal'
        throw error
      } finally {
        if (told && waiting.length < MOST_WAITING)
          waiting.push({ trace, id, parent: around?.id, name, kind, began, ended: options.now(), facts: known, failed })
        if (waiting.length >= AT_ONCE) void send()
      }
    },
    async close() {
      clearInterval(timer)
      await sending
      await send()
    },
  }
}

async function sendAll(waiting: Span[], { url, headers, resource }: OtlpOptions): Promise<void> {
  while (waiting.length > 0) {
    const spans = waiting.splice(0, AT_ONCE)
    try {
      const { body } = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(otlpTraces(spans, resource)),
        signal: AbortSignal.timeout(PATIENCE_MS),
        // Keys in the headers must only be sent to this address.
        redirect: 'error',
      })
      await body?.cancel()
    } catch {
      // If the collector is down, only its spans are lost.
      return
    }
  }
}

/** Derived from the trace id, so that every process makes the same decision. */
const isChosen = (trace: string, ratio: number): boolean => Number.parseInt(trace.slice(-8), 16) < ratio * 2 ** 32

const hex = (chance: Random, bytes: number): string => Buffer.from(chance.bytes(bytes)).toString('hex')
