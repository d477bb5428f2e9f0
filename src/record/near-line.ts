import type { RankedDecision, Ranking } from '../ports/store.ts'
import type { NamedRejection } from './find-rejections.ts'

// Below the line. Of the decisions that a proposal touches and that are below it, three in four are no further down.
const NEAR = -0.12

export const isAboveLine = ({ verdict }: RankedDecision): boolean => verdict === 'strong' || verdict === 'related'

/** Not far below the line; by words alone there is no line. */
export const isNearLine = ({ cosine, relevance }: RankedDecision): boolean => cosine === null || relevance >= NEAR

/** Without those by a mere word of a decision about something else; `named` has to hold all of them. */
export function meantRejections(
  rejections: readonly NamedRejection[],
  { named }: Pick<Ranking, 'named'>,
): NamedRejection[] {
  const near = new Set(named.filter(isNearLine).map(({ entry }) => entry.stem))
  return rejections.filter(({ entry, isKnownName }) => isKnownName || near.has(entry.stem))
}
