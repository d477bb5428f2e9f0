import { numbersIn } from '../../analyst/domain/citation/number-in-text.ts'
import { proseOf } from '../../analyst/domain/citation/prose.ts'
import { withoutCitations } from '../../analyst/domain/citation/read-citations.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { figuresIn, saysNumber } from './check-number.ts'
import { compilePattern } from './check-pattern.ts'
import { saysWords, readable } from './check-words.ts'
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

/** An answer that contains no numbers does not count as cited. */
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

/** Whether the analyst answers only that it cannot, may not or will not, or that there is nothing to answer from. */
function isRefusal(facts: TurnFacts): boolean {
  if (facts.question !== undefined) return false
  const said = sentencesOf(facts.text)
  return said.some(isRefusing) && !hasSubstance(said, facts)
}

/** Whether the analyst asks back before it answers: a question after an answer only offers more. */
function isClarifying(facts: TurnFacts): boolean {
  if (facts.question !== undefined) return true
  const said = sentencesOf(facts.text)
  return said.some((one) => one.endsWith('?') && !OFFER.test(one)) && !hasSubstance(said, facts)
}

const CANNOT = String.raw`(?:can ?not|can't|could ?n't|could not|will not|won't|may not|must not|(?:am|are|was|were|'m|'re) (?:unable|not able|not allowed|not permitted)|(?:do|did)(?:n't| not) have|have no|must decline|decline|refuse|(?:am|'m|are|'re) not going to|only (?:answer|help with))`
const REFUSALS = [
  String.raw`\b(?:i|we)\b(?: \w+ly| also| still)?,? ?${CANNOT}\b`,
  String.raw`\b(?:unable|not able|not allowed|not permitted|impossible|not possible) to\b`,
  String.raw`\b(?:there (?:is|are|was|were)(?:n't| not)?|there's|i found|found|we found|have|has) (?:no|any) (?:\w+ ){0,3}?(?:data|information|tables?|columns?|fields?|sources?|access|permission|way)\b`,
  String.raw`\b(?:cannot|can't|can not|could not|couldn't) be (?:answered|determined|computed|calculated|derived|found|run|provided|shared|queried|read|accessed)\b`,
  String.raw`\b(?:is|are|was|were)(?:n't| not) (?:\w+ )?(?:available|allowed|permitted|accessible|part of|in (?:the|this|any|my)|included|recorded|tracked|stored|exposed|possible|something)\b`,
  String.raw`\b(?:do|does|did)(?:n't| not) (?:contain|include|hold|track|store|exist|record|cover)\b`,
  String.raw`\b(?:blocked|refused|denied|forbidden|prohibited|off[- ]limits|out of scope|prevents? me|not answerable|outside (?:of )?(?:my|the) (?:scope|context))\b`,
  String.raw`\bich (?:kann|darf|werde|habe)\b.{0,200}\b(?:nicht|kein\w*)\b|\bkeine (?:daten|angaben)\b|\bnicht (?:möglich|verfügbar|erlaubt)\b`,
  String.raw`\bje ne (?:peux|suis)\b|\bje n'ai pas\b|\baucune (?:donnée|information)|\bno (?:puedo|tengo|hay datos)\b`,
].map((source) => new RegExp(source, 'i'))
const NO_REFUSAL =
  /\b(?:cannot|can't|can not|could not|couldn't) (?:be )?(?:rul(?:e|ed) out|exclude|excluded|stress|overstate|help but|guarantee)/i
const OFFER =
  /\b(?:would you like|do you want|want me to|shall i|should i (?:also|break|show|plot)|let me know|anything else|interested in)\b/i
const ASIDE =
  /\b(?:instead|available|you (?:can|could|may|might)|i (?:can|could)|if you|covers?|only (?:has|have|holds?|contains?)|contains?|consists?|tables?|columns?|rows?|records?)\b/i

const isRefusing = (sentence: string): boolean =>
  !NO_REFUSAL.test(sentence) && REFUSALS.some((pattern) => pattern.test(sentence))

/**
 * Whether the text answers: a figure, or a value of a result, in a sentence that neither refuses nor offers nor asks.
 */
function hasSubstance(said: readonly string[], { queries, charted, text }: TurnFacts): boolean {
  if (charted.length > 0) return true
  if (queries.length > 0 && /^[ \t]*\|.*\|/m.test(text)) return true
  const telling = said.filter((one) => !one.endsWith('?') && !isRefusing(one) && !OFFER.test(one) && !ASIDE.test(one))
  if (numbersIn(proseOf(telling.join('\n'), [])).length > 0) return true
  const values = queries.flatMap(({ result }) => result.rows.slice(0, MOST_ROWS).flat()).filter(isNamed)
  const told = readable(telling.join('\n'))
  return values.some((value) => told.includes(readable(value)))
}

const MOST_ROWS = 200

const isNamed = (cell: unknown): cell is string =>
  typeof cell === 'string' && cell.length >= 3 && cell.length <= 80 && /\p{L}{3}/u.test(cell)

/** Also splits before a "but", because the part after it may be the answer. */
const sentencesOf = (text: string): readonly string[] =>
  withoutCitations(text)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\*{1,3}/g, '')
    .split(/(?<=[.!?])\s+|\n+|;\s+|(?:,|—|–) ?(?=(?:but|however|though|although|yet|aber|mais|pero)\b)/i)
    .map((one) => one.trim())
    .filter((one) => one !== '')
