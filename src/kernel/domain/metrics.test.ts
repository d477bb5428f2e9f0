import { expect, test } from 'vitest'
import { openMetrics } from './metrics.ts'

test('writes counters, gauges and histograms in the Prometheus format', () => {
  const metrics = openMetrics()
  const calls = metrics.counter('ken_calls_total', 'Calls of operations.')
  calls.add({ operation: 'check_decision', outcome: 'ok' })
  calls.add({ operation: 'check_decision', outcome: 'ok' })
  calls.add({ operation: 'a "quoted"\nname', outcome: 'ok' })
  const seconds = metrics.histogram('ken_call_seconds', 'How long calls took.', [0.1, 1])
  for (const value of [0.05, 0.5, 5]) seconds.observe(value)
  metrics.gauge('ken_open', 'Open connections.', () => 7)
  expect(metrics.text()).toBe(`# HELP ken_calls_total Calls of operations.
# TYPE ken_calls_total counter
ken_calls_total{operation="check_decision",outcome="ok"} 2
ken_calls_total{operation="a \\"quoted\\"\\nname",outcome="ok"} 1
# HELP ken_call_seconds How long calls took.
# TYPE ken_call_seconds histogram
ken_call_seconds_bucket{le="0.1"} 1
ken_call_seconds_bucket{le="1"} 2
ken_call_seconds_bucket{le="+Inf"} 3
ken_call_seconds_sum 5.55
ken_call_seconds_count 3
# HELP ken_open Open connections.
# TYPE ken_open gauge
ken_open 7
`)
})

test('limits the number of series if labels never repeat', () => {
  const metrics = openMetrics()
  const counter = metrics.counter('many_total', 'Many.')
  for (let at = 0; at < 10_000; at += 1) counter.add({ id: String(at) })
  expect(metrics.text().split('\n').length).toBeLessThan(2_010)
})
