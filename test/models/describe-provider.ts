import { openAiSdkModel } from '../../src/adapters/model/ai-sdk/index.ts'
import type { ModelProvider } from '../../src/core/model-name.ts'
import { secretRedactor as redactor } from '../../src/core/secrets/redact.ts'
import type { LanguageModel } from '../../src/ports/language-model.ts'
import { describeLanguageModel } from '../contract/language-model.contract.ts'
import type { ScriptedModel } from '../scripted-model.ts'

/** The contract, for a model of this provider that is the scripted one. */
export const describeProvider = (provider: ModelProvider): void =>
  describeLanguageModel({
    id: `${provider}:tiny:1b`,
    open: (server) => openScriptedProvider(provider, server),
    carries: CARRIES[provider],
    knownGaps: GAPS[provider],
  })

export const openScriptedProvider = (provider: ModelProvider, { url }: ScriptedModel): Promise<LanguageModel> =>
  openAiSdkModel({
    provider,
    model: 'tiny:1b',
    place: { url: `${url}/v1`, region: 'eu-1', access: { key: 'k-123' } },
    facts: { window: 32_000, prices: { input: 3, output: 15, cached: 0.3 } },
    redactor,
  })

/** What each protocol seals a thought with, as the scripted model writes it. */
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
