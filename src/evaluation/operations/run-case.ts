import type { Given } from '../../operations/context.ts'
import type { TestCase } from '../domain/test-case.ts'
import { asksModel, NO_MODEL, type PlannedAttempt, type Tried } from '../run-suite.ts'
import { orBroken, type CaseResult } from './case-result.ts'
import { runContextCase } from './run-context-case.ts'
import { runDecisionCase } from './run-decision-case.ts'
import { runMemoryCase } from './run-memory-case.ts'
import { runRetrievalCase } from './run-retrieval-case.ts'
import { runTurnCase } from './run-turn-case.ts'
import { withValues } from './with-values.ts'

/** Runs one try of one case in a separate state, which is discarded with everything the try wrote to it. */
export async function runCase(
  ctx: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>,
  planned: PlannedAttempt,
  left: number | undefined,
): Promise<Tried | undefined> {
  const started = ctx.clock.now().getTime()
  const apart = await ctx.apart()
  try {
    const { hear: _hear, confirm: _confirm, ask: _ask, editText: _edit, pipe: _pipe, ...alone } = ctx
    const own: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'> = {
      ...alone,
      ...apart,
      progress: () => {},
      settings: withValues(ctx.settings, {
        // Learning matters only for cases of kind memory; elsewhere it would only cost.
        ...(planned.found.test.kind !== 'memory' && { 'memory.learn': false }),
        ...(left !== undefined && { 'analyst.cost': Math.min(left, Number(ctx.settings.get('analyst.cost').value)) }),
      }),
    }
    const model = planned.model === NO_MODEL || !asksModel(planned.found) ? undefined : planned.model
    const result = await orBroken(() => byKind(own, planned.found.test, model))
    // The budget cut off the answer, so the outcome is unknown.
    if (result.outcome !== 'passed' && (result.usage.cost ?? 0) >= (left ?? Number.POSITIVE_INFINITY)) return undefined
    return { ...result, prompt: promptOf(planned.found.test), milliseconds: ctx.clock.now().getTime() - started }
  } finally {
    await apart.close()
  }
}

function byKind(
  ctx: Given<'analyst' | 'context' | 'machine' | 'memory' | 'record'>,
  test: TestCase,
  model: string | undefined,
): Promise<CaseResult> {
  switch (test.kind) {
    case 'sql':
    case 'answer':
    case 'action':
      return runTurnCase(ctx, test, model)
    case 'retrieval':
      return runRetrievalCase(ctx, test)
    case 'decision':
      return runDecisionCase(ctx, test)
    case 'memory':
      return runMemoryCase(ctx, test, model)
    case 'context':
      return runContextCase(ctx, test)
  }
}

/** Prompt, for readers of the results. */
function promptOf(test: TestCase): string {
  switch (test.kind) {
    case 'sql':
    case 'answer':
    case 'action':
      return [...test.earlier, test.prompt].join('\n\n')
    case 'retrieval':
      return test.query
    case 'decision':
      return test.proposal
    case 'memory':
      return test.conversation.join('\n\n')
    case 'context':
      return `${test.budget} tokens${test.for === undefined ? '' : ` for: ${test.for}`}`
  }
}
