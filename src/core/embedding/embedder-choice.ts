export const EMBEDDER_KINDS = ['bundled', 'onnx', 'ollama', 'openai'] as const

export type EmbedderKind = (typeof EMBEDDER_KINDS)[number]

/** For the setting search.embedder. */
export const EMBEDDER_CHOICE = {
  pattern: /^(?:bundled|(?:onnx|ollama|openai):\S{1,200})$/,
  fault: 'takes bundled, onnx:<name>, ollama:<model> or openai:<model>',
  hint: 'For example onnx:gte-small (see `ken models`), or ollama:nomic-embed-text.',
}

/** `ollama:nomic-embed-text:v1.5` names the model `nomic-embed-text:v1.5` of Ollama. */
export function readEmbedderChoice(text: string): { readonly kind: EmbedderKind; readonly model: string } {
  const colon = text.indexOf(':')
  const kind = EMBEDDER_KINDS.find((one) => one === (colon < 0 ? text : text.slice(0, colon)))
  return { kind: kind ?? 'bundled', model: colon < 0 ? '' : text.slice(colon + 1) }
}
