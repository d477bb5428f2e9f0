import { AppError } from '../../kernel/domain/errors.ts'
import type { ModelFacts } from '../../kernel/domain/model-facts.ts'
import type { ModelProvider } from '../../kernel/domain/model-name.ts'
import { stopped } from '../../kernel/domain/stop.ts'
import type { ConverseRequest, LanguageModel, ModelEvent } from '../../kernel/ports/language-model.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import { fetchInPlace, modelFault, toAbortSignal } from '../../kernel/system/model-http.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import { PROVIDERS, type ModelPlace } from './providers.ts'
import { CutStream, toModelEvents } from './to-model-events.ts'
import { toSdkMessages, toSdkTools } from './to-sdk-messages.ts'

export interface AiSdkModelParts {
  readonly provider: ModelProvider
  readonly model: string
  readonly place: ModelPlace
  readonly facts: ModelFacts
  readonly redactor: Redactor
}

// SDK warnings would be written to the caller's streams.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/**
 * A model behind any AI SDK provider. Sends nothing before the first request, and does not retry: the caller has a
 * deadline.
 */
export async function openAiSdkModel(parts: AiSdkModelParts): Promise<LanguageModel> {
  const provider = PROVIDERS[parts.provider]
  const id = `${parts.provider}:${parts.model}`
  const url = addressOf(parts.provider, parts.place)
  // Always set: otherwise the SDK would read the environment.
  const connection = { baseURL: url, apiKey: parts.place.access.key ?? '', fetch: fetchInPlace }
  const model = await provider.open(connection, parts.model, parts.place)
  const sdk = await loadOptional<typeof import('ai')>('ai', id)
  const clean = async (text: string): Promise<string> => (await parts.redactor.redact(text)).text
  const failed = (error: unknown, isStopped: boolean): AppError =>
    modelFault({
      model: id,
      url,
      isStopped,
      status: statusOf(error, sdk),
      error,
      start: provider.start,
      pull:
        parts.provider === 'ollama'
          ? `Run \`ollama pull ${parts.model}\`, or name another with \`ken config set model.name\`.`
          : 'Name another with `ken config set model.name`.',
    })

  async function* converse({
    system,
    messages,
    tools,
    maxTokens,
    signal,
  }: ConverseRequest): AsyncGenerator<ModelEvent> {
    if (signal.aborted) throw stopped()
    const asking = new AbortController()
    const stop = (): void => asking.abort()
    signal.addEventListener('abort', stop)
    let hasBegun = false
    try {
      const { stream } = sdk.streamText({
        model,
        instructions: await clean(system),
        messages: await toSdkMessages(messages, parts.redactor),
        tools: await toSdkTools(tools, sdk.jsonSchema, parts.redactor),
        maxOutputTokens: maxTokens,
        maxRetries: 0,
        abortSignal: asking.signal,
        onError: () => {},
        ...provider.converse,
      })
      for await (const event of toModelEvents(stream, parts.facts.prices)) {
        if (signal.aborted) throw stopped()
        hasBegun = true
        yield event
      }
    } catch (error) {
      if (signal.aborted) throw stopped()
      if (error instanceof AppError) throw error
      if (isOurs(error, sdk)) throw error
      throw hasBegun || !(error instanceof Error) ? cutOff(id, error) : failed(error, false)
    } finally {
      signal.removeEventListener('abort', stop)
      // Aborts the request so that an answer without a reader causes no further cost.
      asking.abort()
    }
  }

  return {
    id,
    window: parts.facts.window,
    converse,
    async write({ system, prompt, maxTokens, signal }) {
      const abortSignal = toAbortSignal(signal)
      const [instructions, clear] = await Promise.all([clean(system), clean(prompt)])
      const { text } = await sdk
        .generateText({
          model,
          instructions,
          prompt: clear,
          maxOutputTokens: maxTokens,
          maxRetries: 0,
          abortSignal,
          ...provider.write,
        })
        .catch((error: unknown) => {
          throw failed(error, abortSignal.aborted)
        })
      if (text.trim() === '')
        throw new AppError('unavailable', `${id} returned an empty answer`, {
          hint: 'A reasoning model may use up its answer tokens; choose another model.',
        })
      return text
    },
    close: async () => {},
  }
}

/** Default paths by kind of server, for an address without one. */
const PATHS: Readonly<Partial<Record<ModelProvider, string>>> = {
  ollama: '/v1',
  compatible: '/v1',
  openai: '/v1',
  anthropic: '/v1',
  mistral: '/v1',
  google: '/v1beta',
  openrouter: '/api/v1',
  azure: '/openai/v1',
}

function addressOf(provider: ModelProvider, place: ModelPlace): string {
  if (place.url === undefined) return PROVIDERS[provider].url(place)
  const path = PATHS[provider]
  return path !== undefined && new URL(place.url).pathname === '/' ? new URL(path, place.url).href : place.url
}

/**
 * Error for an interrupted answer: part of it arrived, or the provider itself reported a failure, so the address and
 * the key are right.
 */
const cutOff = (id: string, error: unknown): AppError =>
  new AppError('unavailable', `${id} was interrupted in the middle of its answer`, {
    hint: 'Try again.',
    details: { retry: true },
    cause: error,
  })

/** Whether the SDK rejected the conversation itself, so that nothing was sent. */
const isOurs = (error: unknown, sdk: typeof import('ai')): boolean =>
  sdk.InvalidPromptError.isInstance(error) || sdk.MissingToolResultsError.isInstance(error)

/** Returns the HTTP status of a failure; below 400 if there was an answer that cannot be parsed. */
function statusOf(error: unknown, sdk: typeof import('ai')): number | undefined {
  if (sdk.APICallError.isInstance(error)) return error.statusCode
  const isUnreadable =
    error instanceof CutStream ||
    sdk.JSONParseError.isInstance(error) ||
    sdk.TypeValidationError.isInstance(error) ||
    sdk.InvalidResponseDataError.isInstance(error) ||
    sdk.NoOutputGeneratedError.isInstance(error)
  return isUnreadable ? 200 : undefined
}
