import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { newDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { startTraceCollector } from '../trace-collector.ts'

test('a configured server traces requests, operations and transactions, without any content', async () => {
  const [postgres, collector, port] = [await newDatabase(), await startTraceCollector(), await freePort()]
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    KEN_PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [KEN, 'server', 'setup', '--organisation', 'Acme', '--email', 'a@b.example', '--project', 'shop'],
      { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } },
    )
    const [token = ''] = /ken_p_\w+/.exec(stdout) ?? []
    const served = async (more: Record<string, string>): Promise<void> => {
      const replica = spawn(process.execPath, [KEN, 'server', '--port', String(port)], { env: { ...env, ...more } })
      await new Promise<void>((found) =>
        replica.stderr.on('data', (said) => String(said).includes('Ken serves') && found()),
      )
      const answer = await fetch(`http://127.0.0.1:${port}/v1/check_decision`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ proposed_approach: 'a very private plan' }),
      })
      expect(answer.status).toBe(200)
      const ended = new Promise((exited) => replica.once('exit', exited))
      replica.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    await served({})
    expect(collector.bodies).toEqual([])
    await served({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const spans = collector.spans()
    const request = spans.find(({ name }) => name === 'POST /v1/check_decision')!
    const operation = spans.find(({ name }) => name === 'check_decision')!
    expect(operation).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId })
    const below = spans.filter(({ name, traceId }) => name === 'transaction' && traceId === request.traceId)
    expect(below.map(({ parentSpanId }) => parentSpanId)).toEqual(
      expect.arrayContaining([request.spanId, operation.spanId]),
    )
    const told = collector.bodies.join()
    for (const secret of [token, 'private', 'a@b.example', 'Acme', 'SELECT']) expect(told).not.toContain(secret)
  } finally {
    await collector.close()
    await postgres.stop()
  }
})
