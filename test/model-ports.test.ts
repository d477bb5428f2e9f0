import { openModelReranker } from '../src/analyst/adapters/model-rerank.ts'
import { secretRedactor as redactor } from '../src/kernel/domain/secrets/redact.ts'
import { openHttpReranker } from '../src/retrieval/adapters/http-rerank.ts'
import { describeReranker } from './contract/reranker.contract.ts'
import { describeOpenAi, describeProvider, openScriptedProvider } from './models/describe-provider.ts'

// One provider of each kind; the others are in model-providers.slow.test.ts and model-providers.nightly.test.ts.
for (const provider of ['compatible', 'anthropic'] as const) describeProvider(provider)
describeOpenAi()

describeReranker('a rerank endpoint', {
  open: async ({ url }) => openHttpReranker({ url: `${url}/v1/rerank`, model: 'm', key: undefined, redactor }),
  answer: (scores) => ({ json: { results: scores.map((score, index) => ({ index, relevance_score: score })) } }),
})

describeReranker('a language model that gives marks', {
  open: async (server) => openModelReranker(await openScriptedProvider('compatible', server)),
  answer: (scores) => scores.map((score, i) => `${i + 1}: ${score * 10}`).join('\n'),
})
