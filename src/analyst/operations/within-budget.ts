import { withValues } from '../../evaluation/operations/with-values.ts'
import { leftWithin, monthBegan, nearlySpent, type Budget } from '../../kernel/domain/budget.ts'
import type { Settings } from '../../kernel/ports/settings.ts'
import type { Given } from '../../operations/context.ts'
import { projectKey } from './project-key.ts'

/** The budgets set here, with this month's spending. */
export async function budgetsHere(ctx: Given<'analyst'>): Promise<readonly Budget[]> {
  const limits = (['person', 'project'] as const)
    .map((of) => ({ of, most: Number(ctx.settings.get(`budget.${of}`).value) }))
    .filter(({ most }) => most > 0)
  if (limits.length === 0) return []
  const [since, project] = [monthBegan(ctx.clock.now()), await projectKey(ctx)]
  return Promise.all(
    limits.map(async ({ of, most }) => ({
      of,
      most,
      spent: await ctx.spent(of === 'person' ? { since } : { since, project }),
    })),
  )
}

/**
 * Cost limit of a turn and warnings for its reader; throws `forbidden` if a budget is spent. Each of several concurrent
 * turns counts only the costs before it.
 */
export async function withinBudget(
  ctx: Given<'analyst'>,
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const budgets = await budgetsHere(ctx)
  if (budgets.length === 0) return { settings: ctx.settings, warnings: [] }
  const cost = Math.min(leftWithin(budgets, ctx.clock.now()), Number(ctx.settings.get('analyst.cost').value))
  return { settings: withValues(ctx.settings, { 'analyst.cost': cost }), warnings: nearlySpent(budgets) }
}
