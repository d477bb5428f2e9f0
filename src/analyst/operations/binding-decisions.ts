import type { Given } from '../../operations/context.ts'
import { redactedStore } from '../../operations/redacted-store.ts'
import { check } from '../../record/check.ts'
import { isTold } from '../../retrieval/domain/ranking/verdict.ts'
import type { BindingDecision } from '../system-prompt.ts'

const MOST = 5

/** Active decisions related to a question; none if the folder has no record. */
export async function bindingDecisions(ctx: Given<'record'>, question: string): Promise<readonly BindingDecision[]> {
  const project = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  if (project === undefined || project.absence !== undefined) return []
  const { related_decisions: related } = await check(redactedStore(await ctx.record()), { proposed_approach: question })
  return related
    .filter(({ status, verdict }) => status === 'active' && isTold(verdict))
    .slice(0, MOST)
    .map(({ id, title, rationale_preview: rationale, trust }) => ({
      number: Number(/\d+/.exec(id)?.[0] ?? 0),
      title,
      rationale,
      trust,
    }))
}
