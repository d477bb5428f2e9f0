import { CHECK_STOP_WORDS, decisionTokens } from '../../../kernel/domain/text/decision-tokens.ts'
import type { Decision } from '../decision/decision.ts'
import { outcomeSentence } from '../decision/outcome-sentence.ts'
import { KNOWN_NAMES, wantedIds } from './mentions.ts'
import { namedIn } from './named-in.ts'
import { chosenIn } from './names-of.ts'

type Chosen = Pick<Decision, 'title' | 'rationale'>

/**
 * Whether a text adopts a choice of a superseded decision that none of its successors made: by a name, or by all words
 * of its title. Similarity cannot decide this: a decision and its successor have the same subject.
 */
export function returnsTo(text: string, old: Chosen, successors: readonly Chosen[]): boolean {
  const kept = new Set(successors.flatMap(chosenBy))
  const dropped = chosenBy(old).filter((id) => !kept.has(id))
  if (namedIn(text, wantedIds(kept)).length > 0) return false
  return namedIn(text, wantedIds(dropped)).length > 0 || saysTitle(text, old, successors)
}

const LEAST_WORDS = 3
const SPEAKS_AGAINST = /\b(?:not|never|stop|without|no longer|instead of|remove|drop|replace)\b|n['’]t\b/i

/** Whether a text contains all distinctive words of the decision's title, but not all of any successor's title. */
function saysTitle(text: string, old: Chosen, successors: readonly Chosen[]): boolean {
  const said = new Set(tellingWords(text))
  const says = ({ title }: Chosen) => tellingWords(title).every((word) => said.has(word))
  const isLong = new Set(tellingWords(old.title)).size >= LEAST_WORDS
  return isLong && says(old) && !successors.some(says) && !SPEAKS_AGAINST.test(text)
}

const tellingWords = (text: string): string[] => decisionTokens(text, CHECK_STOP_WORDS)

// A clause after one of these is a reason and may name the replaced choice.
const REASON = /\b(?:because|since|as|so that|which|while|but)\b/i

/** The things the title names; if it names none, those the outcome names before any reason. */
function chosenBy(decision: Chosen): string[] {
  const named = chosenIn(decision.title, KNOWN_NAMES)
  return named.length > 0 ? named : chosenIn(outcomeSentence(decision).split(REASON)[0]!, KNOWN_NAMES)
}
