import type { BestRow, RankedRows } from './rank-documents.ts'

/**
 * At most three parts of a document are shown: the one that ranks it, and two more. The best document shows another
 * two, because the answer to a question about a long session is often in several places.
 */
const MOST_FURTHER = { first: 4, other: 2 }

/**
 * Share of the best part of the whole answer that a further part must reach. On LoCoMo, five sessions to a document,
 * the shown parts contain the answering lines for .56 of the questions with one part a document, for .68 with this at
 * .8 (a further part for every fourth document), .72 at .7 (for every second), .76 at .6 (for nearly all). The same
 * share of the document's own best gains less for more: .71 with 1.3 parts a document. Cosines alone are closer
 * together: .44 of the questions without, .59 at .85 (three for four documents), .65 at .7 (for all).
 */
const FURTHER_FROM = { words: 0.7, both: 0.7, meaning: 0.85 }

/**
 * A part as good as the one that ranks its document is shown beside it even if another document, such as a short note,
 * scores higher than both, but not below half of that score. It costs LoCoMo a further part for every eighth document.
 */
const AS_GOOD = 0.95
const LEAST = 0.5

export interface PartScores {
  readonly by: 'words' | 'meaning' | 'both'
  /** Weight of coverage relative to a cosine. */
  readonly weight: number
  readonly coverage: Float32Array
  readonly cosines: ReadonlyMap<number, number> | undefined
}

/**
 * The rows of further parts for each document found, best first. They are listed with their document, so no part of one
 * document displaces another document.
 */
export function furtherParts(rows: RankedRows, found: readonly BestRow[], scores: PartScores): number[][] {
  const { by, weight, coverage, cosines } = scores
  // The row's own score, without its document's share.
  const scoreOf = (row: number) =>
    (by === 'words' ? 0 : Math.max(0, cosines?.get(row) ?? 0)) + (by === 'meaning' ? 0 : weight * coverage[row]!)
  const best = found.reduce((most, { row }) => Math.max(most, scoreOf(row)), 0)
  const least = (own: number) => Math.min(FURTHER_FROM[by] * best, Math.max(AS_GOOD * own, LEAST * best))
  return found.map(({ row }, at) =>
    rowsBeside(rows, row)
      .map((beside) => ({ row: beside, score: scoreOf(beside) }))
      .filter(({ score }) => score > 0 && score >= least(scoreOf(row)))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, MOST_FURTHER[at === 0 ? 'first' : 'other'])
      .map((part) => part.row),
  )
}

/** All rows of the documents found. */
export const rowsOfFound = (rows: RankedRows, found: readonly BestRow[]): number[] =>
  found.flatMap(({ row }) => [row, ...rowsBeside(rows, row)])

/** The other rows of the same document, which are adjacent. */
function rowsBeside({ size, ownerOf }: RankedRows, row: number): number[] {
  const beside: number[] = []
  for (let at = row - 1; at >= 0 && ownerOf[at] === ownerOf[row]; at--) beside.push(at)
  for (let at = row + 1; at < size && ownerOf[at] === ownerOf[row]; at++) beside.push(at)
  return beside
}
