import { traceParent } from '../../../kernel/domain/tracing/span.ts'
import type { Tracer } from '../../../kernel/ports/tracer.ts'
import { routeOf } from './request-log.ts'

type Fetch = (request: Request, env?: object) => Response | Promise<Response>

/** Traces every request as a span, with its route and the id of its log line; probes are not traced. */
export function tracedRequests(
  answer: Fetch,
  { tracer, operations }: { readonly tracer: Tracer; readonly operations: readonly { readonly name: string }[] },
): Fetch {
  const names = new Set(operations.map(({ name }) => name))
  return async (request, env) => {
    const route = routeOf(new URL(request.url).pathname, (name) => names.has(name))
    if (route === '/health' || route === '/ready') return answer(request, env)
    const parent = traceParent(request.headers.get('traceparent'))
    return tracer.span(
      `${request.method} ${route}`,
      {
        kind: 'server',
        facts: { 'http.request.method': request.method, 'http.route': route },
        ...(parent && { parent }),
      },
      async (add) => {
        const response = await answer(request, env)
        const id = response.headers.get('x-request-id')
        add({ 'http.response.status_code': response.status, ...(id !== null && { 'ken.request': id }) })
        return response
      },
    )
  }
}
