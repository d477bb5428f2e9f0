import { AppError } from '../../kernel/domain/errors.ts'
import { fetchWithRetries } from '../../kernel/system/http-retry.ts'
import { fetchInPlace, modelFault } from '../../kernel/system/model-http.ts'
import { inBatches, prefixesFor, type PrefixScheme, hasWords } from '../domain/embedding/model-input.ts'
import { toUnitLength } from '../domain/ranking/vector.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { RemoteParts } from './define-embedder.ts'

export interface HttpEmbedderParts extends RemoteParts {
  /** Milliseconds per request; the first is slow because it loads the model. */
  readonly patience?: number
}

/** Request and response format of one kind of endpoint. */
export interface EmbeddingEndpoint {
  /** Name in the setting, such as `ollama`. */
  readonly provider: string
  readonly url: string
  body(texts: readonly string[]): object
  /** One list of numbers per text, in order; undefined for any other response. */
  read(answer: unknown): readonly (readonly number[])[] | undefined
  readonly start: string
  readonly pull: string
}

const BATCH = { count: 32, characters: 60_000 }
const PATIENCE = 60_000
const RETRIES = {
  tries: 3,
  firstPause: 250,
  longestPause: 20_000,
  whenLonger: 'give up',
  withoutAnswer: false,
} as const

/** Requests one vector first, because there is no other way to determine the vector length. */
export async function openHttpEmbedder(endpoint: EmbeddingEndpoint, parts: HttpEmbedderParts): Promise<Embedder> {
  const closing = new AbortController()
  const prefixes = prefixesFor(parts.model)
  const ask = (texts: readonly string[]) =>
    askPatiently(endpoint, { ...parts, signal: AbortSignal.any([parts.signal, closing.signal]) }, texts)
  const dimensions = (await ask([`${prefixes.document}How long is a vector?`]))[0]!.length

  async function embedBatch(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = await ask(texts)
    const other = vectors.find((vector) => vector.length !== dimensions)
    if (other !== undefined)
      throw new AppError(
        'unavailable',
        `${nameOf(endpoint, parts)} now gives vectors of ${other.length} numbers instead of ${dimensions}`,
        { hint: 'The model behind this name has changed: restart Ken, then run `ken embed`.' },
      )
    return vectors
  }

  return {
    id: `${endpoint.provider}:${parts.model.replace(/[^\w.:/-]/g, '-')}:${dimensions}:${prefixes.scheme}`,
    dimensions,
    calibration: undefined,
    async embed(texts, purpose) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      const asked: { at: number; text: string }[] = []
      for (const [at, text] of texts.entries())
        if (hasWords(text)) asked.push({ at, text: prefixes[purpose] + fit(text, prefixes) })
      for (const batch of inBatches(asked, BATCH)) {
        const made = await embedBatch(batch.map(({ text }) => text))
        batch.forEach(({ at }, i) => (vectors[at] = made[i]!))
      }
      return vectors
    },
    knows: () => false,
    async close() {
      closing.abort()
    },
  }
}

/** Removes invalid characters. Secrets are already removed: cutting first could leave half of one at the end. */
const fit = (text: string, { longest }: PrefixScheme): string =>
  text.slice(0, longest).replaceAll('\0', ' ').toWellFormed()

async function askPatiently(
  endpoint: EmbeddingEndpoint,
  parts: HttpEmbedderParts,
  texts: readonly string[],
): Promise<Float32Array[]> {
  let signal = parts.signal
  const send = async (): Promise<Response> => {
    signal = AbortSignal.any([parts.signal, AbortSignal.timeout(parts.patience ?? PATIENCE)])
    return post(endpoint, { ...parts, signal }, texts)
  }
  const response = await fetchWithRetries(send, { ...RETRIES, signal: parts.signal }).catch((error: unknown) => {
    throw error instanceof AppError ? error : fault(endpoint, parts, { isStopped: true })
  })
  if (response.ok) return readAnswer(endpoint, parts, { response, signal, count: texts.length })
  await response.body?.cancel()
  throw fault(endpoint, parts, { status: response.status })
}

async function post(
  endpoint: EmbeddingEndpoint,
  parts: HttpEmbedderParts,
  texts: readonly string[],
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(parts.key !== undefined && { authorization: `Bearer ${parts.key}` }),
  }
  const body = JSON.stringify(endpoint.body(texts))
  try {
    return await fetchInPlace(endpoint.url, { method: 'POST', headers, body, signal: parts.signal })
  } catch (error) {
    throw fault(endpoint, parts, { isStopped: parts.signal.aborted, error })
  }
}

async function readAnswer(
  endpoint: EmbeddingEndpoint,
  parts: HttpEmbedderParts,
  { response, signal, count }: { response: Response; signal: AbortSignal; count: number },
): Promise<Float32Array[]> {
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw fault(endpoint, parts, { isStopped: signal.aborted, status: response.status, error })
  })
  const lists = endpoint.read(answer)
  const vectors = lists?.map((list) => toUnitLength(Float32Array.from(list)))
  if (vectors?.length !== count || !vectors.every((vector) => vector.length > 0 && vector.every(Number.isFinite)))
    throw fault(endpoint, parts, { status: response.status })
  return vectors
}

const nameOf = ({ provider }: EmbeddingEndpoint, { model }: HttpEmbedderParts): string => `${provider}:${model}`

const fault = (
  endpoint: EmbeddingEndpoint,
  parts: HttpEmbedderParts,
  more: { isStopped?: boolean; status?: number; error?: unknown },
): AppError =>
  modelFault({
    model: nameOf(endpoint, parts),
    url: endpoint.url,
    start: endpoint.start,
    pull: endpoint.pull,
    isStopped: false,
    status: undefined,
    error: undefined,
    ...more,
  })
