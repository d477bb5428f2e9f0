import { decisionTokens, QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import type { Decision } from '../decision/decision.ts'
import { GENERIC } from './words.ts'

/** Whether a text and a decision have the same subject, apart from the name that they share. */
export function sharesTopic(
  text: string,
  { title, rationale }: Pick<Decision, 'title' | 'rationale'>,
  about: { readonly alternative: string; readonly spelled: string },
): boolean {
  const same = new Set(decisionTokens(about.spelled))
  const words = new Set(telling(text).filter((word) => !same.has(word)))
  const near = [...new Set(telling(`${title} ${about.alternative}`))].filter((word) => words.has(word))
  if (near.length > 0) return true
  return [...new Set(telling(rationale))].filter((word) => words.has(word)).length >= 2
}

const telling = (text: string): string[] => decisionTokens(text, LITTLE)

// Words too common to identify a thing, but which can be the subject of a decision.
const TOPICS: ReadonlySet<string> = new Set(
  'queue queues cache storage message messages event events log logs test tests testing config configuration schema search'.split(
    ' ',
  ),
)
const LITTLE: ReadonlySet<string> = new Set([...QUERY_STOP_WORDS, ...GENERIC].filter((word) => !TOPICS.has(word)))
