import { AGENT_CLIENTS, AGENT_NAME } from './agent-client-name.ts'

/** Providers of models, with the conventional environment variables for their keys. */
const PROVIDERS = {
  anthropic: { keys: ['ANTHROPIC_API_KEY'] },
  openai: { keys: ['OPENAI_API_KEY'] },
  google: { keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'] },
  mistral: { keys: ['MISTRAL_API_KEY'] },
  openrouter: { keys: ['OPENROUTER_API_KEY'] },
  bedrock: { keys: ['AWS_BEARER_TOKEN_BEDROCK'] },
  azure: { keys: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'] },
  vertex: { keys: ['GOOGLE_VERTEX_API_KEY'] },
  ollama: { keys: [] },
  compatible: { keys: [] },
} as const satisfies Record<string, { keys: readonly string[] }>

export type ModelProvider = keyof typeof PROVIDERS

export const MODEL_PROVIDERS = Object.keys(PROVIDERS) as ModelProvider[]

/** Conventional environment variables for a key of this provider, most usual first. */
export const usualKeys = (provider: ModelProvider): readonly string[] => PROVIDERS[provider].keys

/**
 * `ollama:qwen3:4b` is the model `qwen3:4b` of Ollama; `agent:claude-code` is a client that chooses its model. Empty
 * means none.
 */
export const MODEL_NAME = {
  pattern: new RegExp(`^(?:(?:${MODEL_PROVIDERS.join('|')}):\\S{1,200}|${AGENT_NAME})?$`),
  fault: 'takes provider:model or agent:client',
  hint: `The provider is one of ${MODEL_PROVIDERS.join(', ')}; for example ollama:qwen3. The client is one of ${AGENT_CLIENTS.join(', ')}.`,
}

export function readModelName(name: string): { readonly provider: ModelProvider; readonly model: string } | undefined {
  const colon = name.indexOf(':')
  const provider = MODEL_PROVIDERS.find((one) => one === name.slice(0, colon))
  return provider === undefined || colon < 0 ? undefined : { provider, model: name.slice(colon + 1) }
}
