import { addUsage, NO_USAGE, type Usage } from '../kernel/domain/model-usage.ts'

/** Limits of one turn. */
export interface Caps {
  readonly steps: number
  /** Input and output tokens over all steps. */
  readonly tokens: number
  readonly milliseconds: number
  /** Maximum milliseconds for which a model may send nothing. */
  readonly silence: number
  /** US dollars, applied if the price is known. */
  readonly cost: number
}

export interface Spending {
  readonly usage: Usage
  readonly steps: number
}

export interface ReachedCap {
  readonly cap: keyof Caps
  /** The cap as text for users, with the setting name. */
  readonly told: string
}

export interface Meter {
  spend(usage: Usage): void
  spent(): Spending
  /** Usage of the last counted step, including the model's full input. */
  last(): Usage
  /** The first cap reached; undefined if none. */
  reached(milliseconds: number): ReachedCap | undefined
}

export function openMeter(caps: Caps): Meter {
  let usage = NO_USAGE
  let last = NO_USAGE
  let steps = 0
  return {
    spend(more) {
      usage = addUsage(usage, more)
      if (more.input > 0) last = more
      steps++
    },
    spent: () => ({ usage, steps }),
    last: () => last,
    reached(milliseconds) {
      if (steps >= caps.steps) return { cap: 'steps', told: `${caps.steps} steps (analyst.steps)` }
      if (usage.input + usage.output >= caps.tokens)
        return { cap: 'tokens', told: `${caps.tokens.toLocaleString('en-US')} tokens (analyst.tokens)` }
      if (milliseconds >= caps.milliseconds)
        return { cap: 'milliseconds', told: `${Math.round(caps.milliseconds / 1_000)} seconds (analyst.seconds)` }
      if ((usage.cost ?? 0) >= caps.cost) return { cap: 'cost', told: `$${caps.cost} (analyst.cost)` }
      return undefined
    },
  }
}
