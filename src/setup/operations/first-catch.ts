import type { Given } from '../../operations/context.ts'
import { check } from '../../record/check.ts'
import { decisionNumber } from '../../record/domain/decision/decision-id.ts'
import { findDrift } from '../../record/find-drift.ts'
import type { Store } from '../../record/ports/store.ts'
import { readDecision } from '../../record/read-decision.ts'

interface FirstCatch {
  operation: 'drift' | 'check_decision' | 'brief'
  input: Record<string, unknown>
  why: string
}

const MOST_TRIED = 40
const LONGEST_NAME = 80

/**
 * The command that shows the most of the new record: drift if there is any, otherwise a check of an idea that a
 * decision rejected (this code verifies that it is caught), otherwise a brief.
 */
export async function firstCatch(ctx: Given<'machine' | 'record'>): Promise<FirstCatch> {
  const store = await ctx.record()
  // Without git there is no history of the files that decisions govern.
  const { findings } = (await ctx.repository()) === undefined ? { findings: [] } : await findDrift(ctx, store, {})
  const [worst] = findings
  if (worst?.level === 'contradicts')
    return { operation: 'drift', input: {}, why: 'A decision that the code no longer follows:' }
  const idea = await rejectedIdea(store)
  if (idea !== undefined)
    return {
      operation: 'check_decision',
      input: { proposed_approach: idea },
      why: 'Ken catches an idea that was rejected before:',
    }
  if (worst !== undefined) return { operation: 'drift', input: {}, why: 'Decisions whose files changed since:' }
  return { operation: 'brief', input: {}, why: 'What an agent reads first:' }
}

/** A rejected alternative whose check names its decision; stated rejections are preferred to inferred ones. */
async function rejectedIdea(store: Store): Promise<string | undefined> {
  const { decisions } = await store.catalogue()
  let inferred: string | undefined
  let tried = 0
  for (const { stem, num } of decisions.filter(({ status }) => status === 'active').toReversed())
    for (const { name } of (await readDecision(store, stem))?.rejected ?? []) {
      if (name.length > LONGEST_NAME) continue
      if (++tried > MOST_TRIED) return inferred
      const idea = ideaOf(name)
      const [top] = (await check(store, { proposed_approach: idea })).related_decisions
      if (top?.brings_back === undefined || decisionNumber(top.id) !== num) continue
      if (top.brings_back.inferred !== true) return idea
      inferred ??= idea
    }
  return inferred
}

/** A rejected alternative as someone would propose it: without the letter of its option, and with a verb. */
function ideaOf(name: string): string {
  const bare = name.replace(/^(?:option|alternative|solution) \w{1,2}\s*[:.)-]\s*/i, '')
  return VERB.test(bare) ? bare : `Use ${bare}`
}

const VERB =
  /^(?:use|do not|don['’]t|keep|try|add|allow|build|choose|create|have|implement|introduce|make|migrate|move|remove|replace|rewrite|run|store|switch|write)\b/i
