import { AGENT_CLIENTS, AGENT_NAME } from './agent-client-name.ts'

export const MODEL_PROVIDERS = ['ollama', 'openai', 'anthropic', 'google', 'compatible'] as const

export type ModelProvider = (typeof MODEL_PROVIDERS)[number]

/**
 * `ollama:qwen3:4b` names the model `qwen3:4b` of Ollama, `agent:claude-code` a client that has a model of its own; empty
 * names none.
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
