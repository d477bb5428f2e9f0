import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

export interface TraceCollector {
  readonly url: string
  /** Bodies as received. */
  readonly bodies: string[]
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  spans(): readonly ReceivedSpan[]
  close(): Promise<void>
}

/** An OTLP receiver over HTTP: accepts JSON at /v1/traces, responds as specified, and records the bodies. */
export async function startTraceCollector(status = 200): Promise<TraceCollector> {
  const bodies: string[] = []
  const requests: TraceCollector['requests'] = []
  const server = createServer((request, response) => {
    let text = ''
    request
      .on('data', (chunk) => (text += chunk))
      .on('end', () => {
        requests.push({ path: request.url!, headers: request.headers })
        bodies.push(text)
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
      })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    requests,
    spans: () =>
      bodies.flatMap((body) => {
        const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] }
        return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
