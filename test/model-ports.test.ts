import { openAiSdkModel } from '../src/adapters/model/ai-sdk/index.ts'
import { openHttpReranker } from '../src/adapters/rerank/http/index.ts'
import { openModelReranker } from '../src/adapters/rerank/model/index.ts'
import { MODEL_PROVIDERS, type ModelProvider } from '../src/core/model-name.ts'
import { secretRedactor as redactor } from '../src/core/secrets/redact.ts'
import { describeLanguageModel } from './contract/language-model.contract.ts'
import { describeReranker } from './contract/reranker.contract.ts'
import type { ModelServer } from './models/model-server.ts'

const openModel = (provider: ModelProvider, { url }: ModelServer) =>
  openAiSdkModel({ provider, model: 'tiny:1b', url: `${url}/v1`, key: 'k-123', redactor })

for (const provider of MODEL_PROVIDERS)
  describeLanguageModel({ id: `${provider}:tiny:1b`, open: (server) => openModel(provider, server) })

describeReranker('a rerank endpoint', {
  open: async ({ url }) => openHttpReranker({ url: `${url}/v1/rerank`, model: 'm', key: undefined, redactor }),
  answer: (scores) => ({ json: { results: scores.map((score, index) => ({ index, relevance_score: score })) } }),
})

describeReranker('a language model that gives marks', {
  open: async (server) => openModelReranker(await openModel('compatible', server)),
  answer: (scores) => scores.map((score, i) => `${i + 1}: ${score * 10}`).join('\n'),
})
