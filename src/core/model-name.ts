export const MODEL_PROVIDERS = ['ollama', 'openai', 'anthropic', 'google', 'compatible'] as const

export type ModelProvider = (typeof MODEL_PROVIDERS)[number]

/** `ollama:qwen3:4b` names the model `qwen3:4b` of Ollama; empty names none. */
export const MODEL_NAME = {
  pattern: new RegExp(`^(?:(?:${MODEL_PROVIDERS.join('|')}):\\S{1,200})?$`),
  fault: 'takes provider:model',
  hint: `The provider is one of ${MODEL_PROVIDERS.join(', ')}; for example ollama:qwen3.`,
}

export function readModelName(name: string): { readonly provider: ModelProvider; readonly model: string } | undefined {
  const colon = name.indexOf(':')
  const provider = MODEL_PROVIDERS.find((one) => one === name.slice(0, colon))
  return provider === undefined || colon < 0 ? undefined : { provider, model: name.slice(colon + 1) }
}
