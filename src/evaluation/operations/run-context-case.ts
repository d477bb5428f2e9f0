import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { estimateTokens } from '../../kernel/domain/text/estimate-tokens.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import { brief } from '../../record/operations/brief.ts'
import { saysWords } from '../domain/check-words.ts'
import type { CaseOf } from '../domain/test-case.ts'
import type { TestCheck } from '../domain/test-run.ts'
import { judged, type CaseResult } from './case-result.ts'

/** Maximum size of a brief in tokens: a fact missing from it is in no brief. */
const LARGEST = 200_000

/** Checks the content of a brief of this many tokens. */
export async function runContextCase(ctx: Given, test: CaseOf<'context'>): Promise<CaseResult> {
  const { budget } = test
  const told = await briefOf(ctx, test, budget)
  const tokens = estimateTokens(told.content)
  const isThere = (fact: string): boolean => saysWords(told.content, fact)
  // Only explains the result; does not affect it.
  const whole = test.facts.every(isThere) ? told : await briefOf(ctx, test, LARGEST)
  const checks: TestCheck[] = [
    {
      expects: `takes at most ${plural(budget, 'token')}`,
      passed: tokens <= budget,
      found: `${plural(tokens, 'token')}, ${plural(told.lines.length, 'line')}`,
    },
    ...test.facts.map((fact) => ({
      expects: `keeps ${quoted(fact)}`,
      passed: isThere(fact),
      found: isThere(fact)
        ? placeOf(told, fact)
        : saysWords(whole.content, fact)
          ? `left out of ${plural(tokens, 'token')}; with more room it comes from ${placeOf(whole, fact)}`
          : 'in no brief, however large: nothing here says it in these words',
    })),
    ...test.forbidden.map((words) => ({
      expects: `says nothing of ${quoted(words)}`,
      passed: !isThere(words),
      ...(isThere(words) && { found: placeOf(told, words) }),
    })),
  ]
  return judged(checks, told.content)
}

interface Told {
  readonly content: string
  readonly lines: readonly { readonly text: string; readonly source: string }[]
}

async function briefOf(ctx: Given, test: CaseOf<'context'>, budget: number): Promise<Told> {
  const { output } = await call(ctx, brief, { budget, ...(test.for !== undefined && { for: test.for }) })
  return output as unknown as Told
}

/** Source of the line that contains the words, which may also span two lines. */
function placeOf({ lines }: Told, words: string): string {
  const line = lines.find(({ text }) => saysWords(text, words))
  return line === undefined ? 'several lines' : `${line.source}: ${ellipsis(line.text, 160)}`
}

const quoted = (words: string): string => `"${ellipsis(words, 120)}"`
