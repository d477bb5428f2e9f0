import { ellipsis } from '../../kernel/domain/text.ts'
import { figuresIn, saysNumber } from './check-number.ts'
import { compilePattern } from './check-pattern.ts'
import { isClarifying, isRefusal } from './check-substance.ts'
import { saysWords } from './check-words.ts'
import type { Tolerance } from './comparison.ts'
import type { CaseOf } from './test-case.ts'
import type { TestCheck } from './test-run.ts'
import type { TurnFacts } from './turn-facts.ts'

type Assertion = CaseOf<'answer'>['assert'][number]

const LONGEST_SHOWN = 300

/** Checks the text of an answer, one check per assertion. */
export function checkAnswer(assertions: readonly Assertion[], facts: TurnFacts): readonly TestCheck[] {
  const text = facts.question === undefined ? facts.text : `${facts.text}\n${facts.question}`
  return assertions.flatMap((one) => [
    ...(one.contains === undefined
      ? []
      : [check(`contains “${one.contains}”`, saysWords(text, one.contains), shown(text))]),
    ...(one.not_contains === undefined
      ? []
      : [check(`does not contain “${one.not_contains}”`, !saysWords(text, one.not_contains), shown(text))]),
    ...(one.matches === undefined ? [] : [checkPattern(one.matches, text)]),
    ...(one.number === undefined ? [] : [checkNumber(one.number, text)]),
    ...(one.refuses === undefined
      ? []
      : [check(one.refuses ? 'refuses' : 'does not refuse', isRefusal(facts) === one.refuses, shown(text))]),
    ...(one.clarifies === undefined
      ? []
      : [check(one.clarifies ? 'asks back' : 'does not ask back', isClarifying(facts) === one.clarifies, shown(text))]),
    ...(one.cited === undefined ? [] : [checkCited(one.cited, facts)]),
  ])
}

/** Why the assertions themselves are invalid, so that no answer could pass or fail them. */
export function faultInAssertions(assertions: readonly Assertion[]): string | undefined {
  for (const { matches } of assertions) {
    const pattern = matches === undefined ? undefined : compilePattern(matches)
    if (pattern !== undefined && 'fault' in pattern) return pattern.fault
  }
  return undefined
}

function check(expects: string, passed: boolean, found: string): TestCheck {
  const short = ellipsis(expects, LONGEST_SHOWN)
  return passed ? { expects: short, passed } : { expects: short, passed, found }
}

const shown = (text: string): string =>
  text.trim() === '' ? 'the answer is empty' : ellipsis(text.trim(), LONGEST_SHOWN)

function checkPattern(source: string, text: string): TestCheck {
  const pattern = compilePattern(source)
  const expects = `matches /${source}/`
  return 'fault' in pattern ? check(expects, false, pattern.fault) : check(expects, pattern.test(text), shown(text))
}

function checkNumber(wanted: number | (Tolerance & { readonly value: number }), text: string): TestCheck {
  const { value, ...tolerance } = typeof wanted === 'number' ? { value: wanted } : wanted
  const figures = figuresIn(text)
  const found = figures.length === 0 ? 'the answer says no number' : `it says ${figures.slice(0, 20).join(', ')}`
  return check(
    `says ${value.toLocaleString('en-US', { maximumFractionDigits: 12 })}`,
    saysNumber(text, value, tolerance),
    found,
  )
}

/** An answer without numbers does not count as cited. */
function checkCited(wanted: boolean, { citations }: TurnFacts): TestCheck {
  const open = citations.filter(({ state }) => state !== 'checked')
  const isCited = citations.length > 0 && open.length === 0
  const found =
    citations.length === 0
      ? 'the answer says no number'
      : isCited
        ? 'every number was checked'
        : `not from a query: ${open
            .slice(0, 20)
            .map(({ text }) => text)
            .join(', ')}`
  return check(
    wanted ? 'every number comes from a query' : 'not every number comes from a query',
    isCited === wanted,
    found,
  )
}
