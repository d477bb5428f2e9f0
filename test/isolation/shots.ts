import type { Operation } from '../../src/operations/operation.ts'

/** How a caller names the project. */
export const PLACES = ['body', 'header', 'query', 'none'] as const
export const SURFACES = ['rest', 'events', 'mcp', 'resource'] as const

export interface Shot {
  readonly operation: Operation
  readonly surface: (typeof SURFACES)[number]
  readonly place: (typeof PLACES)[number]
  readonly project: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  /** Headers and body. */
  readonly text: string
  readonly body: string
}

/** One call over HTTP. A resource is read through MCP by a path from the input. */
export async function fire(url: string, secret: string, shot: Shot): Promise<Answer> {
  const { operation, surface, place, project } = shot
  const input = place === 'body' ? { ...shot.input, project_id: project } : shot.input
  const isMcp = surface === 'mcp' || surface === 'resource'
  const path = `${isMcp ? '/mcp' : `/v1/${operation.name}`}${place === 'query' ? `?project=${encodeURIComponent(project)}` : ''}`
  const body = JSON.stringify(
    surface === 'mcp'
      ? rpc('tools/call', { name: operation.name, arguments: input })
      : surface === 'resource'
        ? rpc('resources/read', {
            uri: `ken://record/${encodeURI(String(Object.values(shot.input)[0] ?? 'project.md'))}`,
          })
        : input,
  )
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      ...(isMcp && { accept: 'application/json, text/event-stream' }),
      ...(surface === 'events' && { accept: 'text/event-stream' }),
      ...(place === 'header' && { 'x-ken-project': encodeURIComponent(project) }),
    },
  })
  const text = await response.text()
  return { status: response.status, body: text, text: `${JSON.stringify([...response.headers])}\n${text}` }
}

export const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
