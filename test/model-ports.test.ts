import { openAiSdkModel } from '../src/adapters/model/ai-sdk/index.ts'
import { openHttpReranker } from '../src/adapters/rerank/http/index.ts'
import { openModelReranker } from '../src/adapters/rerank/model/index.ts'
import { MODEL_PROVIDERS, type ModelProvider } from '../src/core/model-name.ts'
import { secretRedactor as redactor } from '../src/core/secrets/redact.ts'
import { describeLanguageModel } from './contract/language-model.contract.ts'
import { describeReranker } from './contract/reranker.contract.ts'
import type { ScriptedModel } from './scripted-model.ts'

const FACTS = { window: 32_000, prices: { input: 3, output: 15, cached: 0.3 } }
const openModel = (provider: ModelProvider, { url }: ScriptedModel) =>
  openAiSdkModel({ provider, model: 'tiny:1b', url: `${url}/v1`, key: 'k-123', facts: FACTS, redactor })

/** What each protocol seals a thought with, as the scripted model writes it. */
const CARRIES: Partial<Record<ModelProvider, string[]>> = {
  anthropic: ['signed(Count the rows.)'],
  google: ['signed(run_sql)'],
}

for (const provider of MODEL_PROVIDERS)
  describeLanguageModel({
    id: `${provider}:tiny:1b`,
    open: (server) => openModel(provider, server),
    carries: CARRIES[provider],
  })

describeReranker('a rerank endpoint', {
  open: async ({ url }) => openHttpReranker({ url: `${url}/v1/rerank`, model: 'm', key: undefined, redactor }),
  answer: (scores) => ({ json: { results: scores.map((score, index) => ({ index, relevance_score: score })) } }),
})

describeReranker('a language model that gives marks', {
  open: async (server) => openModelReranker(await openModel('compatible', server)),
  answer: (scores) => scores.map((score, i) => `${i + 1}: ${score * 10}`).join('\n'),
})
