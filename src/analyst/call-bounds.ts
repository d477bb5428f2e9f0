import type { ModelToolCall } from '../kernel/ports/language-model.ts'

export interface CallBounds {
  /** The call as stored and run; undefined if the step already has too many. */
  take(call: ModelToolCall, beside: number): ModelToolCall | undefined
}

const MOST_AT_ONCE = 64
/** Characters as JSON; a story has a million at most. */
const LARGEST_INPUT = 2_000_000
const DEEPEST_INPUT = 64

/** Replaces oversized arguments; a call with this text is not run. */
export const TOO_MUCH = '[arguments that are too long, or nested too deeply]'

/**
 * Limits a model's calls in one turn. Call ids come from the model: if it reused one, an approval of the first call
 * would apply to the second.
 */
export function openCallBounds(): CallBounds {
  const ids = new Set<string>()
  const own = (id: string): string => {
    let name = id
    for (let number = 2; ids.has(name); number++) name = `${id}_${number}`
    ids.add(name)
    return name
  }
  return {
    take(call, beside) {
      if (beside >= MOST_AT_ONCE) return undefined
      const isFit = isShallow(call.input, DEEPEST_INPUT) && (JSON.stringify(call.input) ?? '').length <= LARGEST_INPUT
      return { ...call, id: own(call.id), ...(!isFit && { input: TOO_MUCH }) }
    },
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1))
}
