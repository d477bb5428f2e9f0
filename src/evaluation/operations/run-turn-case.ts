import { ask } from '../../analyst/operations/ask.ts'
import { chooseDatabase, plainCell, runStatement } from '../../context/operations/run-statement.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { addUsage, NO_USAGE, type Usage } from '../../kernel/domain/model-usage.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import { checkActions } from '../domain/check-actions.ts'
import { checkAnswer, faultInAssertions } from '../domain/check-answer.ts'
import { checkTable } from '../domain/check-table.ts'
import type { Comparison, Table } from '../domain/comparison.ts'
import { strictComparison } from '../domain/strict-comparison.ts'
import type { CaseOf } from '../domain/test-case.ts'
import type { ToolUse } from '../domain/test-run.ts'
import type { TurnFacts } from '../domain/turn-facts.ts'
import { brokenCase, judged, type CaseResult } from './case-result.ts'
import { callsOf, turnFacts } from './turn-facts.ts'

type TurnCase = CaseOf<'sql' | 'answer' | 'action'>

const LONGEST_INPUT = 4_000
const LONGEST_RESULT = 2_000

/**
 * Asks the analyst as a person would and checks the result. The expectation is computed separately from the turn: the
 * model sees none of it.
 */
export async function runTurnCase(
  ctx: Given<'analyst' | 'context'>,
  test: TurnCase,
  model: string | undefined,
): Promise<CaseResult> {
  const fault = faultInAssertions(test.assert)
  if (fault !== undefined) return brokenCase(fault)
  const expected = test.kind === 'sql' ? await expectedTable(ctx, test) : undefined
  if (expected !== undefined && 'fault' in expected) return brokenCase(expected.fault)
  const { facts, calls, usage } = await askAll(ctx, [...test.earlier, test.prompt], model)
  if (facts.end === 'stopped') throw new AppError('stopped', 'The turn was stopped.')
  // A provider failure does not show whether the analyst's answer is right.
  if (facts.failure !== undefined) return { ...brokenCase(facts.failure.message), calls, usage }
  const checks = [
    ...(expected === undefined ? [] : checkTable(expected, expected.table, facts)),
    ...checkAnswer(test.assert, facts),
    ...checkActions(test, facts),
  ]
  return { ...judged(checks, facts.question ?? facts.text), calls, usage }
}

/** Runs the expected statement through the same gate as every statement of the analyst. */
async function expectedTable(
  ctx: Given<'context'>,
  test: CaseOf<'sql'>,
): Promise<{ readonly table: Table; readonly compare: Comparison } | { readonly fault: string }> {
  const project = await ctx.contextProject()
  const database = chooseDatabase(project, test.database)
  const ran = await runStatement(ctx, { project, database, sql: test.sql, unkept: true })
  if ('refused' in ran) return { fault: `The expected statement was not run: ${ran.refused.reason}.` }
  if (ran.result.truncated) return { fault: 'The expected statement gives more rows than can be compared.' }
  const { dialect } = await project.warehouse(database)
  return {
    table: { columns: ran.result.columns, rows: ran.result.rows.map((row) => row.map(plainCell)) },
    compare: test.strict === true ? strictComparison(test.compare, { sql: test.sql, dialect }) : test.compare,
  }
}

/** Sends messages one after the other in one chat; the test checks the last one. */
async function askAll(
  ctx: Given<'analyst'>,
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
