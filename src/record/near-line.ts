import { isTold } from '../retrieval/domain/ranking/verdict.ts'
import type { NamedRejection } from './find-rejections.ts'
import type { RankedDecision, Ranking } from './ports/store.ts'

// Distance to the line. Three in four of the decisions below the line that a proposal touches are within this distance.
const NEAR = -0.12

export const isAboveLine = ({ verdict }: RankedDecision): boolean => isTold(verdict)

/** True if not far below the line; results of word search alone have no line. */
export const isNearLine = ({ cosine, relevance }: RankedDecision): boolean => cosine === null || relevance >= NEAR

/**
 * Drops rejections matched only by an ordinary word of a decision on another subject; `named` must contain all of them.
 */
export function meantRejections(
  rejections: readonly NamedRejection[],
  { named }: Pick<Ranking, 'named'>,
): NamedRejection[] {
  const near = new Set(named.filter(isNearLine).map(({ entry }) => entry.stem))
  return rejections.filter(({ entry, isKnownName }) => isKnownName || near.has(entry.stem))
}
