import { decisionTokens, STOP_WORDS } from '../text/decision-tokens.ts'
import type { RejectedAlternative } from './decision.ts'

/** The rejected alternative that a proposal names, if any: to bring it back is what a decision is there to prevent. */
export function rejectedMatch(
  proposal: string,
  rejected: readonly RejectedAlternative[],
): RejectedAlternative | undefined {
  const words = decisionTokens(proposal, STOP_WORDS)
  return rejected.find((alternative) => {
    const name = decisionTokens(alternative.name, STOP_WORDS)
    return (
      name.length > 0 &&
      isDistinct(alternative.name, name.length) &&
      words.some((_, i) => name.every((word, j) => words[i + j] === word))
    )
  })
}

// One ordinary word ("queues") says too little; a name ("RabbitMQ", "S3") or several words say enough.
const isDistinct = (name: string, words: number): boolean => words > 1 || /^\p{Lu}|\p{Ll}\p{Lu}|\d/u.test(name.trim())
