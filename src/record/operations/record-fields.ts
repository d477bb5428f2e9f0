import { z } from 'zod'
import { type AnswerTrust, DECISION_TRUSTS, type DecisionTrust, overallTrust } from '../../kernel/domain/trust/trust.ts'
import { DECISION_TYPES } from '../domain/decision/decision.ts'
import type { Store } from '../ports/store.ts'

/** Agents also use the type `library_choice`, which is stored as architecture. */
export const decisionTypeField = z.preprocess(
  (given) => (given === 'library_choice' ? 'architecture' : given),
  z.enum(DECISION_TYPES).optional(),
)

export const trustField = z.enum(DECISION_TRUSTS)

/** Fields of every answer about a record: its project and its trust. */
export const recordFields = {
  store: z.string(),
  project: z.object({ id: z.string(), name: z.string() }),
  trust: z.string(),
}

export const mergeDriverField = z
  .enum(['ready', 'missing'])
  .optional()
  .describe('Whether git joins the record with Ken’s merge driver in this clone; only where git carries the record.')

/** Fields of an answer about a record. `shown`: the decisions in the answer. */
export const whose = (
  store: Store,
  shown: readonly { readonly trust: DecisionTrust }[] = [],
): { store: string; project: { id: string; name: string }; trust: AnswerTrust } => ({
  store: store.project.mode === 'cloud' ? 'cloud' : 'local',
  project: { id: store.project.id, name: store.project.name },
  trust: store.project.fromClone === true ? 'from the clone' : overallTrust(shown.map(({ trust }) => trust)),
})

export const dryRunField = { dry_run: z.boolean().default(false).describe('Only show what would be imported.') }

export const skippedFile = z.object({ path: z.string(), reason: z.string() })

/** A titled list for people; empty if there is nothing to list. */
export const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
