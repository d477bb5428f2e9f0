import { z } from 'zod'
import { defineEmbedder } from '../define-embedder.ts'
import { openHttpEmbedder } from '../embedding-http.ts'

const answer = z.object({ embeddings: z.array(z.array(z.number())) })

/** A model on a local or remote Ollama server. */
export const ollama = defineEmbedder({
  name: 'ollama:<model>',
  sendsText: true,
  usualUrl: 'http://127.0.0.1:11434',
  usualKey: undefined,
  open: (parts) =>
    openHttpEmbedder(
      {
        provider: 'ollama',
        url: `${parts.url.replace(/\/+$/, '')}/api/embed`,
        body: (texts) => ({ model: parts.model, input: texts, truncate: true }),
        read: (given) => answer.safeParse(given).data?.embeddings,
        start: 'Start Ollama (`ollama serve`), or set search.embedderUrl to where it runs.',
        pull: `Run \`ollama pull ${parts.model}\`.`,
      },
      parts,
    ),
})
