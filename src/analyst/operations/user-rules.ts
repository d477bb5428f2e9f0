import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { pickMemories } from '../domain/user-memory/pick-memories.ts'
import { memorySwitches } from './memory-switches.ts'

/** Token budget for rules on a page for agents: the newest rules, one line each. */
const MOST_TOKENS = 300

/** The user's rules for agents, one per line; empty if nothing is remembered or memories are turned off. */
export async function userRules(ctx: Given<'analyst' | 'context'>, project: string): Promise<string> {
  // The record is shown even if settings and state cannot be read: a team server may have neither.
  const { uses } = await memorySwitches(ctx).catch(() => ({ uses: false }))
  if (!uses) return ''
  const state = await ctx.analystState().catch(() => undefined)
  const rows = (await state?.memories.active(ctx.user, project).catch(() => [])) ?? []
  const rules = rows.filter(({ category }) => category === 'global_rule')
  return pickMemories(rules, { tokens: MOST_TOKENS })
    .picked.map(({ content }) => visibleLine(content))
    .join('\n')
}
