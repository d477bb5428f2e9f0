/** Tokens of a model call, and their price. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** Part of the input read from the provider's cache. */
  readonly cached: number
  /** Part of the output spent on thinking. */
  readonly reasoning: number
  /** In US dollars; undefined if the price is unknown. */
  readonly cost?: number
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, reasoning: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    ...(cost !== undefined && { cost }),
  }
}
