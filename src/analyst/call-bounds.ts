import type { ModelToolCall } from '../kernel/ports/language-model.ts'

export interface CallBounds {
  /** The call as it is kept and run; undefined for one too many beside those of the same step. */
  take(call: ModelToolCall, beside: number): ModelToolCall | undefined
}

const MOST_AT_ONCE = 64
/** As JSON, in characters; a story has a million at most. */
const LARGEST_INPUT = 2_000_000
const DEEPEST_INPUT = 64

/** What stands in place of arguments that are more than anybody means: a call with it is not run. */
export const TOO_MUCH = '[arguments that are too long, or nested too deeply]'

/**
 * What a model may call in one turn. Ids are its own words: one that it uses twice would let a yes to the first call
 * pass for a yes to the second.
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
