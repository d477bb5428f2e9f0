import type { Span, SpanFacts, TraceParent } from '../domain/tracing/span.ts'

export interface SpanOptions {
  readonly kind?: Span['kind']
  readonly facts?: SpanFacts
  /** Where it goes on from, when that is not the span around it. */
  readonly parent?: TraceParent
}

/** Tells somebody else how long what took. Never throws, and never makes work wait. */
export interface Tracer {
  /**
   * Runs `work` in a span below the one it is called in. What `work` throws is thrown on, and the span says by its code
   * that it failed. `more` adds facts that are known later.
   */
  span<T>(name: string, options: SpanOptions, work: (more: (facts: SpanFacts) => void) => Promise<T>): Promise<T>
  /** Sends what waits, for a moment. */
  close(): Promise<void>
}
