import { z } from 'zod'
import type { Embedder } from '../../../ports/embedder.ts'
import { openHttpEmbedder, type HttpEmbedderParts } from '../embedding-http.ts'

const answer = z.object({ embeddings: z.array(z.array(z.number())) })

/** A model of an Ollama that runs here or elsewhere. */
export function openOllamaEmbedder(parts: HttpEmbedderParts): Promise<Embedder> {
  const endpoint = {
    provider: 'ollama',
    url: `${parts.url.replace(/\/+$/, '')}/api/embed`,
    body: (texts: readonly string[]) => ({ model: parts.model, input: texts, truncate: true }),
    read: (given: unknown) => answer.safeParse(given).data?.embeddings,
    start: 'Start Ollama (`ollama serve`), or set search.embedderUrl to where it runs.',
    pull: `Run \`ollama pull ${parts.model}\`.`,
  }
  return openHttpEmbedder(endpoint, parts)
}
