import { AppError } from '../../core/errors.ts'
import { checkActions } from '../../core/evaluation/check-actions.ts'
import { checkAnswer, faultInAssertions } from '../../core/evaluation/check-answer.ts'
import { checkTable } from '../../core/evaluation/check-table.ts'
import type { Table } from '../../core/evaluation/comparison.ts'
import type { CaseOf } from '../../core/evaluation/test-case.ts'
import type { ToolUse } from '../../core/evaluation/test-run.ts'
import type { TurnFacts } from '../../core/evaluation/turn-facts.ts'
import { addUsage, NO_USAGE, type Usage } from '../../core/model-usage.ts'
import { ellipsis } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import { ask } from '../agent/ask.ts'
import { call } from '../call.ts'
import { chooseDatabase, plainCell, runStatement } from '../context/run-statement.ts'
import { brokenCase, judged, type CaseResult } from './case-result.ts'
import { callsOf, turnFacts } from './turn-facts.ts'

type TurnCase = CaseOf<'sql' | 'answer' | 'action'>

const LONGEST_INPUT = 4_000
const LONGEST_RESULT = 2_000

/**
 * Asks the analyst as a person would and looks at what came of it. What is expected is worked out apart from the turn:
 * nothing of it is put before the model.
 */
export async function runTurnCase(ctx: Context, test: TurnCase, model: string | undefined): Promise<CaseResult> {
  const fault = faultInAssertions(test.assert)
  if (fault !== undefined) return brokenCase(fault)
  const expected = test.kind === 'sql' ? await expectedTable(ctx, test) : undefined
  if (expected !== undefined && 'fault' in expected) return brokenCase(expected.fault)
  const { facts, calls, usage } = await askAll(ctx, [...test.earlier, test.prompt], model)
  if (facts.end === 'stopped') throw new AppError('stopped', 'The turn was stopped.')
  // A provider that fails says nothing of what the analyst would have answered.
  if (facts.failure !== undefined) return { ...brokenCase(facts.failure.message), calls, usage }
  const checks = [
    ...(test.kind === 'sql' ? checkTable(test, expected!, facts) : []),
    ...checkAnswer(test.assert, facts),
    ...checkActions(test, facts),
  ]
  return { ...judged(checks, facts.question ?? facts.text), calls, usage }
}

/** Through the same gate as every statement of the analyst. */
async function expectedTable(ctx: Context, test: CaseOf<'sql'>): Promise<Table | { readonly fault: string }> {
  const project = await ctx.contextProject()
  const database = chooseDatabase(project, test.database)
  const ran = await runStatement(ctx, { project, database, sql: test.sql, unkept: true })
  if ('refused' in ran) return { fault: `The expected statement was not run: ${ran.refused.reason}.` }
  if (ran.result.truncated) return { fault: 'The expected statement gives more rows than can be compared.' }
  return { columns: ran.result.columns, rows: ran.result.rows.map((row) => row.map(plainCell)) }
}

/** One message after the other in one chat; the last one is what the test is about. */
async function askAll(
  ctx: Context,
  words: readonly string[],
  model: string | undefined,
): Promise<{ readonly facts: TurnFacts; readonly calls: readonly ToolUse[]; readonly usage: Usage }> {
  let chat: string | undefined
  let message = ''
  for (const question of words) {
    const { output } = await call(ctx, ask, {
      question,
      ...(chat !== undefined && { chat }),
      ...(model !== undefined && { model }),
    })
    chat = String(output['chat'])
    message = String(output['message'])
  }
  const state = await ctx.analystState()
  const [messages, stored] = await Promise.all([state.log.messages(chat!), state.log.parts(chat!, 0)])
  const parts = stored.filter((one) => one.message === message).map(({ part }) => part)
  return {
    facts: await turnFacts(state, chat!, message),
    calls: callsOf(parts).map(({ call: { tool, input }, failed, text: result }) => ({
      tool,
      input: ellipsis(JSON.stringify(input) ?? '', LONGEST_INPUT),
      failed,
      result: ellipsis(result, LONGEST_RESULT),
    })),
    usage: messages.reduce((sum, one) => addUsage(sum, one.end?.usage ?? NO_USAGE), NO_USAGE),
  }
}
