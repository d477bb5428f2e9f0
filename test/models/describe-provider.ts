import { afterAll } from 'vitest'
import { openAiSdkModel } from '../../src/analyst/model/index.ts'
import { MODEL_PROVIDERS, type ModelProvider } from '../../src/kernel/domain/model-name.ts'
import { secretRedactor as redactor } from '../../src/kernel/domain/secrets/redact.ts'
import type { LanguageModel } from '../../src/kernel/ports/language-model.ts'
import { describeLanguageModel } from '../contract/language-model.contract.ts'
import type { ScriptedModel } from '../scripted-model.ts'

/** Providers with a package installed with Ken; the packages of the others are in test/vendors. */
export const COME_WITH_KEN: readonly ModelProvider[] = ['ollama', 'compatible', 'openai', 'anthropic', 'google']
export const INSTALLED_APART = MODEL_PROVIDERS.filter((provider) => !COME_WITH_KEN.includes(provider))

/** Runs the contract with a scripted model of this provider. */
export const describeProvider = (provider: ModelProvider): void =>
  describeLanguageModel({
    id: `${provider}:tiny:1b`,
    open: (server) => openScriptedProvider(provider, server),
    carries: CARRIES[provider],
    knownGaps: GAPS[provider],
  })

/** Tests OpenAI itself: its protocol differs from that of all compatible servers. */
export function describeOpenAi(): void {
  const reallyFetch = globalThis.fetch
  afterAll(() => void (globalThis.fetch = reallyFetch))
  describeLanguageModel({
    id: 'openai:tiny:1b',
    open({ url }) {
      globalThis.fetch = (input, init) => reallyFetch(String(input).replace('https://api.openai.com', url), init)
      return openScriptedProvider('openai', { url: 'https://api.openai.com' })
    },
    carries: ['sealed(Count the rows.)'],
  })
}

export const openScriptedProvider = (provider: ModelProvider, { url }: Pick<ScriptedModel, 'url'>): Promise<LanguageModel> =>
  openAiSdkModel({
    provider,
    model: 'tiny:1b',
    place: { url: `${url}/v1`, region: 'eu-1', access: { key: 'k-123' } },
    facts: { window: 32_000, prices: { input: 3, output: 15, cached: 0.3 } },
    redactor,
  })

/** Signature of a thought in each protocol, as the scripted model writes it. */
const CARRIES: Partial<Record<ModelProvider, string[]>> = {
  anthropic: ['signed(Count the rows.)'],
  google: ['signed(run_sql)'],
  vertex: ['signed(run_sql)'],
  azure: ['sealed(Count the rows.)'],
  bedrock: ['signed(Count the rows.)'],
}

const GAPS: Partial<Record<ModelProvider, Record<string, string>>> = {
  openrouter: {
    'the input of a call that is no JSON comes as it is, and may go back':
      'Its package gives an empty object in its place.',
  },
  mistral: {
    'thoughts come apart from words, and go back as they came':
      'Mistral thinks in blocks of its own, which the scripted model does not write.',
  },
}
