import { DecisionFault } from './fault.ts'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const SHAPES: Readonly<Record<string, RegExp>> = {
  proposed_by: ULID,
  approved_by: ULID,
  approved_at: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  proposal_id: ULID,
  proposed_base_commit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
}
const TOGETHER = ['proposed_by', 'approved_by', 'approved_at', 'proposal_id']

/**
 * In these keys nauro records who approved a decision. Ken writes none of them, but a partial approval, or one of
 * nobody, is invalid.
 */
export function refuseBadProvenance(values: ReadonlyMap<unknown, unknown>): void {
  const given = Object.keys(SHAPES).filter((key) => (values.get(key) ?? null) !== null)
  for (const key of given) {
    const value = values.get(key)
    if (typeof value !== 'string' || !SHAPES[key]!.test(value))
      throw new DecisionFault('field', `${key} is not of the form that nauro writes`)
  }
  const lacking = given.length === 0 ? [] : TOGETHER.filter((key) => !given.includes(key))
  if (lacking.length > 0) throw new DecisionFault('model', `${given[0]} stands without ${lacking.join(', ')}`)
}
