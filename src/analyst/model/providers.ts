import { existsSync } from 'node:fs'
import type { generateText, LanguageModel as SdkModel, streamText } from 'ai'
import { AppError } from '../../kernel/domain/errors.ts'
import type { ModelProvider } from '../../kernel/domain/model-name.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'

/** Address and credentials of a model; undefined if not needed. */
export interface ModelPlace {
  readonly url: string | undefined
  readonly region?: string | undefined
  readonly project?: string | undefined
  readonly access: ModelAccess
}

/** Credentials: one of these fields, or none for a server without authentication. */
export interface ModelAccess {
  readonly key?: string | undefined
  /** Credentials with which AWS requests are signed. */
  readonly aws?: AwsCredentials | undefined
  /** Google Cloud credentials file of a service or a user. */
  readonly keyFile?: string | undefined
}

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

interface Connection {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: typeof fetch
}

export interface Provider {
  /** Returns the default address; throws `invalid_input` if it cannot be determined. */
  url(place: ModelPlace): string
  readonly start: string
  /** Options of every call that writes a short text. */
  readonly write: Partial<Pick<Parameters<typeof generateText>[0], 'temperature' | 'reasoning' | 'providerOptions'>>
  /** Options of every step of a conversation. */
  readonly converse: Partial<Pick<Parameters<typeof streamText>[0], 'temperature' | 'providerOptions'>>
  open(connection: Connection, model: string, place: ModelPlace): Promise<OpenModel>
}

type OpenModel = Exclude<SdkModel, string>

// The used part of the API of packages that users install themselves; a clone has these packages only for the nightly
// suites.
interface Azure {
  createAzure(connection: Connection): { responses(model: string): OpenModel }
}
interface Vertex {
  createGoogleVertex(
    connection: Connection & {
      readonly location: string
      readonly project: string
      readonly googleAuthOptions: { readonly keyFilename?: string }
    },
  ): (model: string) => OpenModel
}
interface Bedrock {
  createAmazonBedrock(
    connection: Connection & AwsCredentials & { readonly region: string },
  ): (model: string) => OpenModel
}
interface Mistral {
  createMistral(connection: Connection): (model: string) => OpenModel
}
interface OpenRouter {
  createOpenRouter(
    connection: Connection,
  ): (model: string, settings: { readonly usage: { readonly include: boolean } }) => OpenModel
}

const NETWORK = 'Check the network, and model.url if you set it.'

/** OpenAI's newer endpoint stores requests unless disabled. */
const UNSTORED = { providerOptions: { openai: { store: false }, azure: { store: false } } }

/** Passes to every package all values that it would otherwise read from the environment. */
export const PROVIDERS: Readonly<Record<ModelProvider, Provider>> = {
  ollama: {
    url: () => 'http://127.0.0.1:11434/v1',
    start: 'Start Ollama (`ollama serve`), or set model.url to where it runs.',
    // Otherwise Ollama's thinking models reason before every short answer, longer than any deadline.
    write: { temperature: 0, reasoning: 'none' },
    converse: { temperature: 0 },
    open: openCompatible,
  },
  compatible: {
    url: () => needed('compatible', 'model.url', 'where', 'http://127.0.0.1:1234/v1'),
    start: 'Start the server, or set model.url to where it runs.',
    write: { temperature: 0 },
    converse: { temperature: 0 },
    open: openCompatible,
  },
  openai: {
    url: () => 'https://api.openai.com/v1',
    start: NETWORK,
    write: UNSTORED,
    converse: UNSTORED,
    // Reasoning can only be sent back by the newer endpoint, which OpenAI-compatible servers seldom have.
    open: async (connection, model) =>
      new URL(connection.baseURL).host === 'api.openai.com'
        ? (await loadOptional<typeof import('@ai-sdk/openai')>('@ai-sdk/openai'))
            .createOpenAI(connection)
            .responses(model)
        : openCompatible(connection, model),
  },
  azure: {
    url: () => needed('azure', 'model.url', 'which resource', 'https://name.openai.azure.com'),
    start: NETWORK,
    write: UNSTORED,
    converse: UNSTORED,
    open: async (connection, model) =>
      (await loadOptional<Azure>('@ai-sdk/azure')).createAzure(connection).responses(model),
  },
  anthropic: {
    url: () => 'https://api.anthropic.com/v1',
    start: NETWORK,
    write: {},
    // Every step sends the whole conversation again; the earlier part is read from the cache at a tenth of the price.
    converse: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/anthropic')>('@ai-sdk/anthropic')).createAnthropic(connection)(model),
  },
  google: {
    url: () => 'https://generativelanguage.googleapis.com/v1beta',
    start: NETWORK,
    write: {},
    converse: {},
    open: async (connection, model) =>
      (await loadOptional<typeof import('@ai-sdk/google')>('@ai-sdk/google')).createGoogle(connection)(model),
  },
  vertex: {
    url({ region, project, access }) {
      if (access.key !== undefined) return 'https://aiplatform.googleapis.com/v1/publishers/google'
      const at = region || needed('vertex', 'model.region', 'where', 'europe-west4')
      const of = project || needed('vertex', 'model.project', 'which project', 'my-project-123')
      const host = at === 'global' ? 'aiplatform' : `${at}-aiplatform`
      return `https://${host}.googleapis.com/v1beta1/projects/${of}/locations/${at}/publishers/google`
    },
    start: NETWORK,
    write: {},
    converse: {},
    async open({ apiKey, ...connection }, model, { region = 'global', project = '', access }) {
      // Otherwise the package would use any credentials on this machine.
      if (access.key === undefined && !existsSync(access.keyFile ?? ''))
        throw new AppError('invalid_input', 'GOOGLE_APPLICATION_CREDENTIALS names a file that is not there.', {
          hint: 'Set it to the path of your Google Cloud key file.',
        })
      const { createGoogleVertex } = await loadOptional<Vertex>('@ai-sdk/google-vertex')
      const googleAuthOptions = access.keyFile === undefined ? {} : { keyFilename: access.keyFile }
      return createGoogleVertex({ ...connection, apiKey, location: region, project, googleAuthOptions })(model)
    },
  },
  bedrock: {
    url: ({ region }) =>
      `https://bedrock-runtime.${region || needed('bedrock', 'model.region', 'where', 'eu-central-1')}.amazonaws.com`,
    start: NETWORK,
    write: {},
    converse: {},
    async open(connection, model, { region = '', access: { aws } }) {
      const { createAmazonBedrock } = await loadOptional<Bedrock>('@ai-sdk/amazon-bedrock')
      const { accessKeyId = '', secretAccessKey = '', sessionToken = '' } = aws ?? {}
      const signing = { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) }
      return createAmazonBedrock({ ...connection, ...signing, region })(model)
    },
  },
  mistral: {
    url: () => 'https://api.mistral.ai/v1',
    start: NETWORK,
    write: {},
    converse: {},
    open: async (connection, model) =>
      (await loadOptional<Mistral>('@ai-sdk/mistral')).createMistral(connection)(model),
  },
  openrouter: {
    url: () => 'https://openrouter.ai/api/v1',
    start: NETWORK,
    write: {},
    converse: {},
    open: async (connection, model) =>
      (await loadOptional<OpenRouter>('@openrouter/ai-sdk-provider')).createOpenRouter(connection)(model, {
        usage: { include: true },
      }),
  },
}

async function openCompatible({ apiKey, ...connection }: Connection, model: string): Promise<OpenModel> {
  const { createOpenAICompatible } =
    await loadOptional<typeof import('@ai-sdk/openai-compatible')>('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ ...connection, name: 'ken', includeUsage: true, ...(apiKey !== '' && { apiKey }) })(
    model,
  )
}

function needed(provider: ModelProvider, setting: string, what: string, example: string): never {
  throw new AppError('invalid_input', `${provider} models need ${setting}: ${what}.`, {
    hint: `Set it, for example \`ken config set ${setting} ${example}\`.`,
  })
}
