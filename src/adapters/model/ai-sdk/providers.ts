import type { generateText, LanguageModel as SdkModel, streamText } from 'ai'
import type { ModelProvider } from '../../../core/model-name.ts'
import { loadOptional } from '../../optional-package.ts'

interface Connection {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
}

export interface Provider {
  readonly url: string
  readonly start: string
  /** What is asked of every call that writes a short text. */
  readonly write: Partial<Pick<Parameters<typeof generateText>[0], 'temperature' | 'reasoning' | 'providerOptions'>>
  /** What is asked of every step of a conversation. */
  readonly converse: Partial<Pick<Parameters<typeof streamText>[0], 'temperature' | 'providerOptions'>>
  open(connection: Connection, model: string): Promise<Exclude<SdkModel, string>>
}

const NETWORK = 'Check the network, and model.url if you set it.'

/** The newer endpoint of OpenAI keeps what it was sent unless told otherwise. */
const UNSTORED = { providerOptions: { openai: { store: false }, azure: { store: false } } }

export const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  ollama: {
    url: 'http://127.0.0.1:11434/v1',
    start: 'Start Ollama (`ollama serve`), or set model.url to where it runs.',
    // Without this its thinking models think before every short answer, longer than any deadline.
    write: { temperature: 0, reasoning: 'none' },
    converse: { temperature: 0 },
    open: openCompatible,
  },
  compatible: {
    url: 'http://127.0.0.1:8080/v1',
    start: 'Start the server, or set model.url to where it runs.',
    write: { temperature: 0 },
    converse: { temperature: 0 },
    open: openCompatible,
  },
  openai: {
    url: 'https://api.openai.com/v1',
    start: NETWORK,
    write: UNSTORED,
    converse: UNSTORED,
    // Thoughts go back only by the newer endpoint, which those who stand in OpenAI's place seldom have.
    open: async (connection, model) =>
      new URL(connection.baseURL).host === 'api.openai.com'
        ? (await loadOptional<typeof import('@ai-sdk/openai')>('@ai-sdk/openai'))
            .createOpenAI(connection)
            .responses(model)
        : openCompatible(connection, model),
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    start: NETWORK,
    write: {},
    // Every step sends the whole conversation again; what stands before is read from the cache at a tenth of the price.
    converse: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic')).createAnthropic(connection)(model),
  },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    start: NETWORK,
    write: {},
    converse: {},
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
  return createOpenAICompatible({ ...connection, name: 'ken', includeUsage: true, ...(apiKey !== '' && { apiKey }) })(
    model,
  )
}

/** An address without a path gets the one that this kind of server has. */
export function withVersion(url: string | undefined, usual: string): string | undefined {
  return url !== undefined && new URL(url).pathname === '/' ? new URL(new URL(usual).pathname, url).href : url
}
