import type { generateText, LanguageModel as SdkModel } from 'ai'
import { AppError } from '../../../core/errors.ts'
import type { ModelProvider } from '../../../core/model-name.ts'
import type { LanguageModel } from '../../../ports/language-model.ts'
import type { Redactor } from '../../../ports/redactor.ts'
import { fetchInPlace, modelFault, toAbortSignal } from '../../model-http.ts'
import { loadOptional } from '../../optional-package.ts'

export interface AiSdkModelParts {
  readonly provider: ModelProvider
  readonly model: string
  /** Undefined: where this provider usually is. */
  readonly url: string | undefined
  readonly key: string | undefined
  readonly redactor: Redactor
}

// Warnings of the SDK would go to the streams of whoever called.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/**
 * A model behind any provider of the AI SDK. Nothing is sent before `write`, and nothing is tried twice: who asks has a
 * deadline.
 */
export async function openAiSdkModel(parts: AiSdkModelParts): Promise<LanguageModel> {
  const { open, url: usual, call, start } = PROVIDERS[parts.provider]
  const id = `${parts.provider}:${parts.model}`
  const url = withVersion(parts.url, usual) ?? usual
  // Always given: without them the SDK would look into the environment on its own.
  const model = await open({ baseURL: url, apiKey: parts.key ?? '', fetch: fetchInPlace }, parts.model)
  const sdk = await loadOptional<typeof import('ai')>('ai', id)
  return {
    id,
    window: 128_000,
    converse() {
      throw new AppError('internal', `${id} cannot converse yet.`)
    },
    async write({ system, prompt, maxTokens, signal }) {
      const abortSignal = toAbortSignal(signal)
      const { text: clean } = await parts.redactor.redact(prompt)
      const { text } = await sdk
        .generateText({
          model,
          instructions: system,
          prompt: clean,
          maxOutputTokens: maxTokens,
          maxRetries: 0,
          abortSignal,
          ...call,
        })
        .catch((error: unknown) => {
          const { statusCode: status } = error as { statusCode?: number }
          const pull =
            parts.provider === 'ollama'
              ? `Run \`ollama pull ${parts.model}\`, or name another with \`ken config set model.name\`.`
              : 'Name another with `ken config set model.name`.'
          throw modelFault({ model: id, url, isStopped: abortSignal.aborted, status, error, start, pull })
        })
      if (text.trim() === '')
        throw new AppError('unavailable', `${id} answered without a word`, {
          hint: 'A model that thinks at length may use up its answer; name one that does not.',
        })
      return text
    },
    close: async () => {},
  }
}

interface Connection {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
}

interface Provider {
  readonly url: string
  readonly start: string
  /** What is asked of every call. */
  readonly call: Partial<Pick<Parameters<typeof generateText>[0], 'temperature' | 'reasoning'>>
  open(connection: Connection, model: string): Promise<Exclude<SdkModel, string>>
}

const NETWORK = 'Check the network, and model.url if you set it.'

const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  ollama: {
    url: 'http://127.0.0.1:11434/v1',
    start: 'Start Ollama (`ollama serve`), or set model.url to where it runs.',
    // Without this its thinking models think before every short answer, longer than any deadline.
    call: { temperature: 0, reasoning: 'none' },
    open: openCompatible,
  },
  compatible: {
    url: 'http://127.0.0.1:8080/v1',
    start: 'Start the server, or set model.url to where it runs.',
    call: { temperature: 0 },
    open: openCompatible,
  },
  // The chat endpoint: the newer one keeps what it was sent unless told otherwise.
  openai: {
    url: 'https://api.openai.com/v1',
    start: NETWORK,
    call: {},
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/openai')>('@ai-sdk/openai')).createOpenAI(connection).chat(model),
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    start: NETWORK,
    call: {},
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic')).createAnthropic(connection)(model),
  },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    start: NETWORK,
    call: {},
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/google')>('@ai-sdk/google')).createGoogle(connection)(model),
  },
}

async function openCompatible(
  { apiKey, ...connection }: Connection,
  model: string,
): Promise<Exclude<SdkModel, string>> {
  const { createOpenAICompatible } =
    await loadOptional<typeof import('@ai-sdk/openai-compatible')>('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...connection, name: 'ken', ...(apiKey !== '' && { apiKey }) })(model)
}

/** An address without a path gets the one that this kind of server has. */
function withVersion(url: string | undefined, usual: string): string | undefined {
  return url !== undefined && new URL(url).pathname === '/' ? new URL(new URL(usual).pathname, url).href : url
}
