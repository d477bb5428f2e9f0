import { numbersIn } from '../../analyst/domain/citation/number-in-text.ts'
import { proseOf } from '../../analyst/domain/citation/prose.ts'
import { withoutCitations } from '../../analyst/domain/citation/read-citations.ts'
import { readable } from './check-words.ts'
import type { TurnFacts } from './turn-facts.ts'

/** Whether the analyst answers only that it cannot, may not or will not, or that there is nothing to answer from. */
export function isRefusal(facts: TurnFacts): boolean {
  if (facts.question !== undefined) return false
  const said = sentencesOf(facts.text)
  return said.some(isRefusing) && !hasSubstance(said, facts)
}

/** Whether the analyst asks back before it answers: a question after an answer only offers more. */
export function isClarifying(facts: TurnFacts): boolean {
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
