import type { Span, SpanFacts, SpanValue } from './span.ts'

// OTLP numbers: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
const KINDS = { internal: 1, server: 2, client: 3 } as const
const ERROR = 2

/** Body for `POST /v1/traces` in the JSON encoding of OTLP. `resource` identifies the process. */
export const otlpTraces = (spans: readonly Span[], resource: SpanFacts): unknown => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'ken' }, spans: spans.map(spanOf) }],
    },
  ],
})

const spanOf = ({ trace, id, parent, name, kind, began, ended, facts, failed }: Span): unknown => ({
  traceId: trace,
  spanId: id,
  ...(parent !== undefined && { parentSpanId: parent }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanoseconds(began),
  endTimeUnixNano: nanoseconds(ended),
  attributes: attributesOf(facts),
  status: failed ? { code: ERROR } : {},
})

const attributesOf = (facts: SpanFacts): unknown[] =>
  Object.entries(facts).map(([key, value]) => ({ key, value: valueOf(value) }))

/** Writes 64-bit integers as text, as OTLP's JSON does. */
function valueOf(value: SpanValue): unknown {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Concatenates whole milliseconds and the rest: a double cannot represent nanoseconds since 1970. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}
