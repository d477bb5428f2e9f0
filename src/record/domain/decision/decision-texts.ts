import { head } from '../../../kernel/domain/text.ts'
import { otherNames } from '../../../kernel/domain/text/other-names.ts'
import type { Decision } from './decision.ts'
import { reviewedReason } from './inferred.ts'

/**
 * The text that BM25 ranks: reasons of rejected alternatives are also searched, but separately, because they add noise
 * to the score.
 */
export const indexText = (decision: Pick<Decision, 'title' | 'rationale' | 'rejected'>): string =>
  [
    decision.title,
    decision.rationale,
    ...(decision.rejected.length > 0 ? [decision.rejected.map((r) => r.name).join(' ')] : []),
  ].join(' ')

export const reasonsText = (decision: Pick<Decision, 'rejected'>): string =>
  decision.rejected.map((r) => `${r.name}: ${reviewedReason(r) ?? ''}`).join('\n')

/**
 * Names by which a decision is found, in addition to its words: acronyms, initials of its headings, unspaced scripts.
 */
export const decisionNames = (decision: Pick<Decision, 'title' | 'rationale' | 'rejected'>): Map<string, number> =>
  otherNames(`${indexText(decision)}\n${reasonsText(decision)}`, [
    decision.title,
    ...decision.rejected.map(({ name }) => name),
  ])

const EMBEDDED_RATIONALE = 1500
const EMBEDDED_TEXT = 4000

/** Text of a decision to embed: the first paragraphs make the point, later ones blur it. */
export const embeddingText = (decision: Pick<Decision, 'title' | 'rationale' | 'rejected'>): string =>
  head(`${decision.title}. ${head(decision.rationale, EMBEDDED_RATIONALE)}\n${reasonsText(decision)}`, EMBEDDED_TEXT)
