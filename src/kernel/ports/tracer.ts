import type { Span, SpanFacts, TraceParent } from '../domain/tracing/span.ts'

export interface SpanOptions {
  readonly kind?: Span['kind']
  readonly facts?: SpanFacts
  /** The parent span, if it is not the enclosing one. */
  readonly parent?: TraceParent
}

/** Reports durations to an external collector. Never throws, and never delays work. */
export interface Tracer {
  /**
   * Runs `work` in a child of the current span. Errors from `work` are rethrown, and the span's status records the
   * failure. `more` adds facts that are known later.
   */
  span<T>(name: string, options: SpanOptions, work: (more: (facts: SpanFacts) => void) => Promise<T>): Promise<T>
  /** Flushes pending spans, briefly. */
  close(): Promise<void>
}
