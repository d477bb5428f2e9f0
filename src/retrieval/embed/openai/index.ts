import { z } from 'zod'
import { defineEmbedder } from '../define-embedder.ts'
import { openHttpEmbedder } from '../embedding-http.ts'

const answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
})

/** Any OpenAI-compatible endpoint: LM Studio, llama.cpp, vLLM, text-embeddings-inference, a gateway. */
export const openai = defineEmbedder({
  name: 'openai:<model>',
  sendsText: true,
  usualUrl: 'https://api.openai.com/v1',
  usualKey: 'OPENAI_API_KEY',
  open: (parts) =>
    openHttpEmbedder(
      {
        provider: 'openai',
        url: endpointOf(parts.url),
        body: (texts) => ({ model: parts.model, input: texts, encoding_format: 'float' }),
        read: readVectors,
        start: 'Start the server, or set search.embedderUrl to where it runs.',
        pull: 'Check the name of the model in search.embedder, and the address in search.embedderUrl.',
      },
      parts,
    ),
})

function readVectors(given: unknown): number[][] | undefined {
  const rows = answer.safeParse(given).data?.data
  return rows
    ?.map((row, at) => ({ ...row, index: row.index ?? at }))
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding)
}

/** Accepts `http://host:1234`, `http://host:1234/v1` or the full URL. */
function endpointOf(url: string): string {
  const address = url.replace(/\/+$/, '')
  if (address.endsWith('/embeddings')) return address
  return new URL(address).pathname === '/' ? `${address}/v1/embeddings` : `${address}/embeddings`
}
