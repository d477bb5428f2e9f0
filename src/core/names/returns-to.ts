import type { Decision } from '../decision/decision.ts'
import { outcomeOf } from '../decision/outcome-sentence.ts'
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

const chosenBy = (decision: Chosen): string[] => [
  ...chosenIn(decision.title, KNOWN_NAMES),
  ...chosenIn(outcomeOf(decision), KNOWN_NAMES),
]
