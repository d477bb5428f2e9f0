import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'

export type OpenDecision = Calls['get_decision']['output']
export type DecisionEvent = Calls['decision_history']['output']['events'][number]

/** Changes of a decision, newest first; with text diffs on request. */
export function useHistory(number: number, asOf: string | undefined, { diffs }: { diffs: boolean }) {
  return useAnswer('decision_history', { number, diffs, ...(asOf !== undefined && { as_of: asOf }) })
}
