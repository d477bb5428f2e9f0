import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: any
  /** All that the model was told, whatever the protocol. */
  readonly said: string
}

/** A text is what the model says; a status is a failure; `silence` never answers; `raw` goes out as it is. */
export type ModelReply = string | { readonly status: number; readonly headers?: Record<string, string> } | { readonly raw: string } | { readonly json: unknown } | 'silence'

export interface ModelServer {
  readonly url: string
  readonly requests: ModelRequest[]
  /** How it answers from now on. */
  reply: (request: ModelRequest) => ModelReply
  close(): Promise<void>
}

/**
 * A server that speaks the chat of OpenAI and Ollama, the messages of Anthropic, Gemini's and whatever a test has it
 * say.
 */
export async function openModelServer(reply: ModelServer['reply']): Promise<ModelServer> {
  const http = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString() || 'null')
    const request: ModelRequest = { path: incoming.url!.split('?')[0]!, headers: incoming.headers, body, said: saidIn(body) }
    server.requests.push(request)
    answer(response, request, server.reply(request))
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const server: ModelServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    reply,
    close: () => new Promise((done) => {
      http.closeAllConnections()
      http.close(() => done())
    }),
  }
  return server
}

function answer(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
  if (reply === 'silence') return
  if (typeof reply === 'object' && 'status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end('{"error":{"message":"the fake says no"}}')
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(typeof reply === 'string' ? JSON.stringify(spoken(request, reply)) : 'raw' in reply ? reply.raw : JSON.stringify(reply.json))
}

function spoken({ path, body }: ModelRequest, text: string): object {
  if (path.endsWith('/messages')) return { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [{ type: 'text', text }], stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  if (path.includes(':generateContent')) return { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }
  return { id: 'chat_1', object: 'chat.completion', created: 1, model: body.model, choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
}

/** Every text in a request, in order. */
function saidIn(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  return Object.values(body).map(saidIn).filter((text) => text !== '').join('\n')
}

/** The texts of the passages in a prompt that asks for marks, in order. */
export const passagesIn = (said: string): string[] => [...said.matchAll(/<passage number="\d+">\n([\s\S]*?)\n<\/passage>/g)].map((match) => match[1]!)
