import { z } from 'zod'
import { DECISION_TRUSTS, overallTrust, type AnswerTrust, type DecisionTrust } from '../../core/trust/trust.ts'
import type { Store } from '../../ports/store.ts'

export const trustField = z.enum(DECISION_TRUSTS)

/** Every answer about a record says whose it is, and how far it is to be trusted. */
export const recordFields = {
  store: z.string(),
  project: z.object({ id: z.string(), name: z.string() }),
  trust: z.string(),
}

/** `shown`: the decisions that the answer holds. */
export const whose = (
  store: Store,
  shown: readonly { readonly trust: DecisionTrust }[] = [],
): { store: string; project: { id: string; name: string }; trust: AnswerTrust } => ({
  store: store.project.mode === 'cloud' ? 'cloud' : 'local',
  project: { id: store.project.id, name: store.project.name },
  trust: store.project.fromClone === true ? 'from the clone' : overallTrust(shown.map(({ trust }) => trust)),
})
