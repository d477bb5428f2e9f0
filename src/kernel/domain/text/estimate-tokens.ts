/**
 * Approximate number of tokens for a model: four Latin characters, or one and a half of a script without spaces, per
 * token.
 */
export const estimateTokens = (text: string): number => Math.ceil(tokenWeight(text))

/** Like `estimateTokens`, before rounding: the parts of a text add up to the whole. */
export function tokenWeight(text: string): number {
  const dense = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return (text.length - dense) / 4 + dense / 1.5
}
