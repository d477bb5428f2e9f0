import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import { fetchInPlace, modelFault, toAbortSignal } from '../../kernel/system/model-http.ts'
import { toRelevance } from '../domain/ranking/rerank.ts'
import type { Reranker } from '../ports/reranker.ts'

export interface HttpRerankerParts {
  /** The full URL, e.g. `http://127.0.0.1:8080/v1/rerank`. */
  readonly url: string
  /** Optional for servers with one model. */
  readonly model: string | undefined
  readonly key: string | undefined
  readonly redactor: Redactor
}

/** A `/rerank` endpoint in the form of Cohere, Voyage, Jina, llama.cpp, vLLM and text-embeddings-inference. */
export function openHttpReranker(parts: HttpRerankerParts): Reranker {
  const id = `rerank:${parts.model ?? new URL(parts.url).host}`
  const clean = async (text: string): Promise<string> => (await parts.redactor.redact(text)).text
  // Text-embeddings-inference accepts only `texts` as the name of the list; all others use `documents`.
  let form: 'documents' | 'texts' = 'documents'

  const fault = (more: { isStopped: boolean; status?: number; error?: unknown }): AppError =>
    modelFault({
      model: id,
      url: parts.url,
      status: undefined,
      error: undefined,
      start: 'Start the server, or set search.rerankUrl to where it runs.',
      pull: 'Check search.rerankUrl, and search.rerankModel if the server has several.',
      ...more,
    })

  const post = async (body: object, signal: AbortSignal): Promise<Response> => {
    const headers = {
      'content-type': 'application/json',
      ...(parts.key !== undefined && { authorization: `Bearer ${parts.key}` }),
    }
    try {
      return await fetchInPlace(parts.url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    } catch (error) {
      throw fault({ isStopped: signal.aborted, error })
    }
  }

  const ask = async (query: string, passages: readonly string[], signal: AbortSignal): Promise<Response> => {
    const body = { ...(parts.model !== undefined && { model: parts.model }), query }
    const first = await post(
      form === 'texts' ? { ...body, texts: passages, truncate: true } : { ...body, documents: passages },
      signal,
    )
    if (first.status !== 422 || form === 'texts') return first
    await first.body?.cancel()
    const second = await post({ ...body, texts: passages, truncate: true }, signal)
    if (second.ok) form = 'texts'
    return second
  }

  return {
    id,
    async rerank(query, passages, stop) {
      if (passages.length === 0) return []
      const signal = toAbortSignal(stop)
      const response = await ask(await clean(query), await Promise.all(passages.map(clean)), signal)
      if (!response.ok) throw fault({ isStopped: false, status: response.status })
      const answer = await response.json().catch((error: unknown) => {
        throw fault({ isStopped: signal.aborted, status: response.status, error })
      })
      const scores = readScores(answer, passages.length)
      if (scores === undefined) throw fault({ isStopped: false, status: response.status })
      return scores
    },
    close: async () => {},
  }
}

const row = z.object({
  index: z.number().int().min(0),
  relevance_score: z.number().optional(),
  score: z.number().optional(),
})
const rows = z.array(row)
const answer = z.union([
  rows,
  z.object({ results: rows }).transform(({ results }) => results),
  z.object({ data: rows }).transform(({ data }) => data),
])

/** One score per passage; undefined unless every passage has one. */
function readScores(body: unknown, count: number): readonly number[] | undefined {
  const parsed = answer.safeParse(body)
  if (!parsed.success) return undefined
  const scores = new Map(parsed.data.map((one) => [one.index, one.relevance_score ?? one.score]))
  const ordered = Array.from({ length: count }, (_, at) => scores.get(at))
  return ordered.every((score) => score !== undefined) ? toRelevance(ordered) : undefined
}
