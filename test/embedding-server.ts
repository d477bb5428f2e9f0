import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'

export interface Asked {
  readonly path: string
  readonly texts: readonly string[]
  readonly authorization: string | undefined
}

/** Replaces the next good answer. */
export type Mishap = (response: ServerResponse) => void

export interface EmbeddingServer {
  readonly url: string
  readonly asked: Asked[]
  /** Faults returned instead of the next answers, in order. */
  readonly mishaps: Mishap[]
  close(): Promise<void>
}

const MODEL = fileURLToPath(new URL('../models/static-256/model.bin', import.meta.url))

/**
 * Answers like Ollama at /api/embed and like OpenAI at /v1/embeddings, with the bundled model's vectors, which are not
 * of unit length here.
 */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const embedder = openStaticEmbedder(MODEL)
  const asked: Asked[] = []
  const mishaps: Mishap[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] }
    asked.push({ path: request.url!, texts: input, authorization: request.headers.authorization })
    const mishap = mishaps.shift()
    if (mishap !== undefined) return mishap(response)
    if (model === 'missing') return fail(404, '{"error":"model not found"}')(response)
    const vectors = (await embedder.embed(input, 'document')).map((vector) =>
      Array.from(vector, (component) => 3 * component),
    )
    const rows = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse()
    response
      .setHeader('content-type', 'application/json')
      .end(
        JSON.stringify(request.url === '/api/embed' ? { model, embeddings: vectors } : { object: 'list', data: rows }),
      )
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mishaps,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await embedder.close()
    },
  }
}

export const fail =
  (status: number, body: string, headers: Record<string, string> = {}): Mishap =>
  (response) =>
    void response.writeHead(status, headers).end(body)
export const say = (body: unknown): Mishap => fail(200, typeof body === 'string' ? body : JSON.stringify(body))
export const hang: Mishap = () => {}
