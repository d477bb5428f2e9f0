import { enveloped } from '../trust/envelope.ts'
import type { AnswerTrust } from '../trust/trust.ts'

/** Text of a record for an agent's context, inside the tag that a harvest drops again. */
export function injectedContext(body: string, about: { project: string; event: string; trust: AnswerTrust }): string {
  return enveloped(body, { origin: 'record', trust: about.trust }, { project: about.project, event: about.event })
}
