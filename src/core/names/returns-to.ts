import type { Decision } from '../decision/decision.ts'
import { outcomeOf } from '../decision/outcome-sentence.ts'
import { KNOWN_NAMES, wantedIds } from './mentions.ts'
import { namedIn } from './named-in.ts'
import { chosenIn } from './names-of.ts'
import { sharesTopic } from './shares-topic.ts'

type Chosen = Pick<Decision, 'title' | 'rationale'>

/**
 * Whether a text takes up, for the same subject, something that a superseded decision chose and none of its successors
 * did. Nearness in meaning cannot tell: a decision and its successor are about the same.
 */
export function returnsTo(text: string, old: Chosen, successors: readonly Chosen[]): boolean {
  const kept = new Set(successors.flatMap(chosenBy))
  const given = chosenBy(old).filter((id) => !kept.has(id))
  const named = namedIn(text, wantedIds(given))
  return (
    named.some(({ spelled }) => sharesTopic(text, old, { alternative: '', spelled })) &&
    namedIn(text, wantedIds(kept)).length === 0
  )
}

const chosenBy = (decision: Chosen): string[] => [
  ...chosenIn(decision.title, KNOWN_NAMES),
  ...chosenIn(outcomeOf(decision), KNOWN_NAMES),
]
