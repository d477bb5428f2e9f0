import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTracer } from '../src/app/team/open-tracer.ts'
import { AppError } from '../src/kernel/domain/errors.ts'
import { traceParent } from '../src/kernel/domain/tracing/span.ts'
import { tracedRequests } from '../src/surfaces/http/team/traced-requests.ts'
import { startTraceCollector, type TraceCollector } from './trace-collector.ts'

let collector: TraceCollector
beforeEach(async () => {
  collector = await startTraceCollector()
})
afterEach(() => collector.close())

const environment = (more: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  ...more,
})
const factsOf = (name: string): Record<string, unknown> =>
  Object.fromEntries(
    collector
      .spans()
      .find((span) => span.name === name)!
      .attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  )

describe('traces', () => {
  test('are off unless an endpoint is set', () => {
    expect(openTracer({})).toBeUndefined()
    expect(openTracer({ OTEL_SERVICE_NAME: 'ken', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeUndefined()
  })

  test('reach a collector as OTLP: spans are nested, with their times', async () => {
    const tracer = openTracer(environment({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,y=2' }))!
    await tracer.span('outer', { kind: 'server', facts: { count: 3, part: 0.5, yes: true } }, async (more) => {
      await Promise.all(['one', 'two'].map((name) => tracer.span(name, {}, async () => undefined)))
      more({ later: 'known' })
    })
    await tracer.close()
    const spans = collector.spans()
    const outer = spans.find(({ name }) => name === 'outer')!
    expect(outer).toMatchObject({ kind: 2, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(outer.parentSpanId).toBeUndefined()
    for (const name of ['one', 'two'])
      expect(spans.find((span) => span.name === name)).toMatchObject({
        traceId: outer.traceId,
        parentSpanId: outer.spanId,
      })
    expect(outer.attributes).toEqual([
      { key: 'count', value: { intValue: '3' } },
      { key: 'part', value: { doubleValue: 0.5 } },
      { key: 'yes', value: { boolValue: true } },
      { key: 'later', value: { stringValue: 'known' } },
    ])
    const [began, ended] = [BigInt(outer.startTimeUnixNano), BigInt(outer.endTimeUnixNano)]
    expect(ended >= began).toBe(true)
    expect(Math.abs(Number(began / 1_000_000n) - Date.now())).toBeLessThan(600_000)
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'a b', y: '2' } })
  })

  test('report a failure by its code, without any text', async () => {
    const tracer = openTracer(environment())!
    const failing = tracer.span('failing', {}, async () => {
      throw new AppError('not_found', 'the secret plan is not here')
    })
    await expect(failing).rejects.toThrow('secret plan')
    await tracer.close()
    expect(collector.spans()[0]!.status).toEqual({ code: 2 })
    expect(factsOf('failing')).toEqual({ 'error.type': 'not_found' })
    expect(collector.bodies.join()).not.toContain('plan')
  })

  test('of requests have a route from a closed list, continue the caller’s trace, and omit probes', async () => {
    const tracer = openTracer(environment())!
    const answer = tracedRequests(() => new Response('', { status: 418, headers: { 'x-request-id': 'r1' } }), {
      tracer,
      operations: [{ name: 'check_decision' }],
    })
    const header = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }
    await answer(new Request('http://ken/v1/check_decision?q=private', { method: 'POST', headers: header }))
    await answer(new Request('http://ken/v1/ken_p_secret'))
    await answer(new Request('http://ken/health'))
    await tracer.close()
    expect(collector.spans().map(({ name }) => name)).toEqual(['POST /v1/check_decision', 'GET other'])
    expect(collector.spans()[0]).toMatchObject({ traceId: 'ab'.repeat(16), parentSpanId: 'cd'.repeat(8) })
    expect(factsOf('POST /v1/check_decision')).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/check_decision',
      'http.response.status_code': '418',
      'ken.request': 'r1',
    })
    expect(collector.bodies.join()).not.toMatch(/private|secret/)
  })

  test('are sampled if configured, each trace completely', async () => {
    const tracer = openTracer(environment({ OTEL_TRACES_SAMPLER_ARG: '0.5' }))!
    for (let nth = 0; nth < 200; nth++)
      await tracer.span('outer', {}, () => tracer.span('inner', {}, async () => undefined))
    await tracer.close()
    const named = (name: string) => collector.spans().filter((span) => span.name === name)
    expect(named('outer').length).toBeGreaterThan(40)
    expect(named('outer').length).toBeLessThan(160)
    expect(named('inner').map(({ traceId }) => traceId)).toEqual(named('outer').map(({ traceId }) => traceId))
  })

  test('do not affect the work if the collector is unreachable', async () => {
    const away = openTracer({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })!
    expect(await away.span('work', {}, async () => 'done')).toBe('done')
    await away.close()
  })

  test.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'a key' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_SAMPLER_ARG: '7' },
  ])('rejects the invalid settings %j', (settings) => {
    expect(() => openTracer(settings)).toThrow(AppError)
  })
})

test('an invalid traceparent is ignored', () => {
  const [trace, id] = ['ab'.repeat(16), 'cd'.repeat(8)]
  expect(traceParent(`00-${trace}-${id}-00`)).toEqual({ trace, id })
  for (const header of [null, '', `ff-${trace}-${id}-01`, `00-${'0'.repeat(32)}-${id}-01`, `00-${trace}-${id}`, 'x'])
    expect(traceParent(header)).toBeUndefined()
})
