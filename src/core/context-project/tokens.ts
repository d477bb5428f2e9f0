/**
 * About how many tokens a model sees: four Latin characters, or one and a half of a script without spaces, to a token.
 */
export function estimateTokens(text: string): number {
  const dense = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return Math.ceil((text.length - dense) / 4 + dense / 1.5)
}
