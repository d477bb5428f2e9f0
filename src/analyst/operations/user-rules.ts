import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { pickMemories } from '../domain/user-memory/pick-memories.ts'
import { memorySwitches } from './memory-switches.ts'

/** A page for agents has little room: the newest rules, a line each. */
const MOST_TOKENS = 300

/** How this user wants things, a rule in each line, for agents; empty where nothing is remembered or it is turned off. */
export async function userRules(ctx: Given<'analyst' | 'context'>, project: string): Promise<string> {
  // The record is told whether or not settings and state can be read: a team server may have neither.
  const { uses } = await memorySwitches(ctx).catch(() => ({ uses: false }))
  if (!uses) return ''
  const state = await ctx.analystState().catch(() => undefined)
  const rows = (await state?.memories.active(ctx.user, project).catch(() => [])) ?? []
  const rules = rows.filter(({ category }) => category === 'global_rule')
  return pickMemories(rules, { tokens: MOST_TOKENS })
    .picked.map(({ content }) => visibleLine(content))
    .join('\n')
}
