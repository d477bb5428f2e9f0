import type { NamedRejection } from './find-rejections.ts'
import type { RankedDecision, Ranking } from './ports/store.ts'

// Distance to the line. Of the decisions below it that a proposal touches, three in four are within this distance.
const NEAR = -0.12

export const isAboveLine = ({ verdict }: RankedDecision): boolean => verdict === 'strong' || verdict === 'related'

/** Not far below the line; word search alone has no line. */
export const isNearLine = ({ cosine, relevance }: RankedDecision): boolean => cosine === null || relevance >= NEAR

/** Drops those matched by a mere word of a decision about something else; `named` must contain all of them. */
export function meantRejections(
  rejections: readonly NamedRejection[],
  { named }: Pick<Ranking, 'named'>,
): NamedRejection[] {
  const near = new Set(named.filter(isNearLine).map(({ entry }) => entry.stem))
  return rejections.filter(({ entry, isKnownName }) => isKnownName || near.has(entry.stem))
}
