export type SpanValue = string | number | boolean

/** Names from closed lists, counts and codes: never user text, a secret, or an identity. */
export type SpanFacts = Readonly<Record<string, SpanValue>>

export interface Span {
  /** 32 hexadecimal digits. */
  readonly trace: string
  /** 16 hexadecimal digits. */
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly kind: 'server' | 'internal' | 'client'
  /** Milliseconds since 1970, with their fractions. */
  readonly began: number
  readonly ended: number
  readonly facts: SpanFacts
  readonly failed: boolean
}

export interface TraceParent {
  readonly trace: string
  readonly id: string
}

/** Parses the `traceparent` header of a request (W3C Trace Context); undefined if invalid. */
export function traceParent(header: string | null | undefined): TraceParent | undefined {
  const [, version, trace, id] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/.exec(header ?? '') ?? []
  if (trace === undefined || id === undefined || version === 'ff') return undefined
  return /^0+$/.test(trace) || /^0+$/.test(id) ? undefined : { trace, id }
}
