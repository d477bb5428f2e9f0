import type { Decision } from '../decision/decision.ts'
import { outcomeSentence } from '../decision/outcome-sentence.ts'
import { KNOWN_NAMES, wantedIds } from './mentions.ts'
import { namedIn } from './named-in.ts'
import { chosenIn } from './names-of.ts'

type Chosen = Pick<Decision, 'title' | 'rationale'>

/**
 * Whether a text takes up something by name that a superseded decision chose and none of its successors did. Nearness in
 * meaning cannot tell: a decision and its successor have the same subject.
 */
export function returnsTo(text: string, old: Chosen, successors: readonly Chosen[]): boolean {
  const kept = new Set(successors.flatMap(chosenBy))
  const dropped = chosenBy(old).filter((id) => !kept.has(id))
  return namedIn(text, wantedIds(dropped)).length > 0 && namedIn(text, wantedIds(kept)).length === 0
}

// What stands after one of these is a reason, and may name what was left.
const REASON = /\b(?:because|since|as|so that|which|while|but)\b/i

/** What the title names; of a title that names nothing, what the outcome names before any reason. */
function chosenBy(decision: Chosen): string[] {
  const named = chosenIn(decision.title, KNOWN_NAMES)
  return named.length > 0 ? named : chosenIn(outcomeSentence(decision).split(REASON)[0]!, KNOWN_NAMES)
}
