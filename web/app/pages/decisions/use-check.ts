import { decisionNumber } from '../../../../src/record/domain/decision/decision-id.ts'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { usePaused } from '../../kit/use-paused.ts'
import { filterInput, type DecisionSearch } from './search.ts'

export type Related = Calls['check_decision']['output']['related_decisions'][number]
export type Found = Calls['search_decisions']['output']['results'][number]

// Fluent typing has 100 to 150 ms between two keys.
const PAUSE_MS = 180
const SHORTEST = 3
const MOST_FOUND = 12
const LONGEST_APPROACH = 5_000

/** Checks typed text against decisions. Further typing cancels the pending request. */
export function useCheck(typed: string, search: DecisionSearch) {
  const text = usePaused(typed.trim(), PAUSE_MS).slice(0, LONGEST_APPROACH)
  const enabled = text.length >= SHORTEST
  const asOf = search.asOf === undefined ? {} : { as_of: search.asOf }
  const check = useAnswer('check_decision', { proposed_approach: text, ...asOf }, { enabled, keep: true })
  const found = useAnswer(
    'search_decisions',
    { query: text, limit: MOST_FOUND, include_superseded: true, ...filterInput(search) },
    { enabled, keep: true },
  )
  const related = enabled ? [...(check.data?.related_decisions ?? []), ...(check.data?.returns_to ?? [])] : []
  const numbers = new Set(related.map(({ id }) => numberOf(id)))
  return {
    enabled,
    /** True if the results shown are the previous ones, while the newest load. */
    isBehind: enabled && (typed.trim() !== text || check.isPlaceholderData || check.isPending),
    check: enabled ? check.data : undefined,
    related,
    // Shown only after the check, which comes first in the list: otherwise hits would move under the pointer.
    found:
      enabled && check.data !== undefined
        ? (found.data?.results ?? []).filter(({ number }) => !numbers.has(number))
        : [],
    fault: check.error ?? found.error,
  }
}

/** Decision number in an id: `decision-042` or `042-some-title` is 42. */
export const numberOf = (id: string): number => decisionNumber(id) ?? 0
