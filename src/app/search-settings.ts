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
    help: `What turns text into vectors: ${oneOf(EMBEDDER_NAMES.map((name) => `\`${name}\``))}; \`ken models\` lists those that can be brought to this machine. The check of decisions always uses the bundled one.`,
  },
  {
    name: 'search.embedderUrl',
    kind: 'text',
    fallback: '',
    environment: 'KEN_EMBEDDER_URL',
    fromPage: 'confirm',
    form: WEB_ADDRESS,
    help: 'Where the embedder is: an Ollama, or any endpoint that speaks as OpenAI does; empty: where it usually is.',
  },
  {
    name: 'search.embedderKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'confirm',
    form: VARIABLE_NAME,
    help: 'The NAME of the environment variable that holds the key of the embedder.',
  },
  {
    name: 'search.expand',
    kind: 'switch',
    fallback: false,
    environment: undefined,
    fromPage: 'free',
    help: 'Let the language model say a question in other words as well, where no hit is strong.',
  },
  {
    name: 'search.rerank',
    kind: 'text',
    fallback: 'off',
    environment: undefined,
    fromPage: 'free',
    form: RERANK,
    help: 'Let a model order the best hits of a question: off, http (search.rerankUrl) or model (model.name).',
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
    help: 'The model there, where the server has several.',
  },
  {
    name: 'search.rerankKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    fromPage: 'confirm',
    form: VARIABLE_NAME,
    help: 'The NAME of the environment variable that holds its key.',
  },
]
