import { VARIABLE_NAME, WEB_ADDRESS, type SettingDefinition } from '../kernel/domain/settings.ts'
import { embedderForm, oneOf } from '../retrieval/domain/embedding/embedder-choice.ts'
import { EMBEDDERS } from './providers.ts'

const EMBEDDER_NAMES = EMBEDDERS.map(({ name }) => name)

const RERANK = {
  pattern: /^(?:off|http|model)$/,
  fault: 'takes off, http or model',
  hint: 'http asks the endpoint in search.rerankUrl, model the language model in model.name.',
}

/** Settings of the memory search and its models. */
export const SEARCH_SETTINGS: readonly SettingDefinition[] = [
  {
    name: 'search.embeddings',
    kind: 'switch',
    fallback: true,
    environment: 'KEN_EMBEDDINGS',
    fromPage: 'free',
    help: 'Search by meaning as well as by words.',
  },
  {
    name: 'search.embedder',
    kind: 'text',
    fallback: 'bundled',
    environment: 'KEN_EMBEDDER',
    fromPage: 'confirm',
    form: embedderForm(EMBEDDER_NAMES),
    help: `Embedder: ${oneOf(EMBEDDER_NAMES.map((name) => `\`${name}\``))}; \`ken models\` lists the ones to download. \`ken check\` always uses the bundled one.`,
  },
  {
    name: 'search.embedderUrl',
    kind: 'text',
    fallback: '',
    environment: 'KEN_EMBEDDER_URL',
    fromPage: 'confirm',
    form: WEB_ADDRESS,
    help: 'Embedder address: Ollama or an OpenAI-compatible endpoint; empty: its usual address.',
  },
  {
    name: 'search.embedderKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'confirm',
    form: VARIABLE_NAME,
    help: 'NAME of the environment variable with the embedder’s key.',
  },
  {
    name: 'search.expand',
    kind: 'switch',
    fallback: false,
    environment: undefined,
    fromPage: 'free',
    help: 'Let the language model rephrase a question if no hit is strong.',
  },
  {
    name: 'search.rerank',
    kind: 'text',
    fallback: 'off',
    environment: undefined,
    fromPage: 'free',
    form: RERANK,
    help: 'Reranker for the best hits: off, http (search.rerankUrl) or model (model.name).',
  },
  {
    name: 'search.rerankUrl',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'confirm',
    form: WEB_ADDRESS,
    help: 'The /rerank endpoint of Cohere, Voyage, Jina, llama.cpp, vLLM or text-embeddings-inference.',
  },
  {
    name: 'search.rerankModel',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'free',
    help: 'Reranking model, if the server has several.',
  },
  {
    name: 'search.rerankKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'confirm',
    form: VARIABLE_NAME,
    help: 'NAME of the environment variable with the reranker’s key.',
  },
]
