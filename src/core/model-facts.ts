import type { Usage } from './chat/chat.ts'

/** In US dollars for a million tokens. */
export interface ModelPrices {
  readonly input: number
  readonly output: number
  /** Input that the provider read from its cache; undefined: as any other. */
  readonly cached?: number
  /** Input that it put there; undefined: as any other. */
  readonly stored?: number
}

export interface ModelFacts {
  /** Tokens that it can take in and give out together. */
  readonly window: number
  /** Undefined: not known, so that no cost is told. */
  readonly prices?: ModelPrices
}

/** What a provider counted. `input` and `output` are all of it; the others say what part of it was special. */
export interface CountedTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly stored: number
  readonly reasoning: number
}

export function usageOf(counted: CountedTokens, prices: ModelPrices | undefined): Usage {
  const { input, output, cached, reasoning } = counted
  const cost = prices && costOf(counted, prices)
  return { input, output, cached, reasoning, ...(cost !== undefined && { cost }) }
}

function costOf({ input, output, cached, stored }: CountedTokens, prices: ModelPrices): number {
  const plain = Math.max(0, input - cached - stored)
  const dollars =
    plain * prices.input +
    cached * (prices.cached ?? prices.input) +
    stored * (prices.stored ?? prices.input) +
    output * prices.output
  return dollars / 1_000_000
}

/** What nearly every model in use can hold; a model that holds less needs model.window. */
export const UNKNOWN_WINDOW = 32_000
