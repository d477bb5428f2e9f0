import type { HybridQuery } from './hybrid-search.ts'
import type { BestRow, RankedRows } from './rank-documents.ts'

/** Of a document at most three parts are shown: the one that puts it where it stands, and two more. */
const MOST_FURTHER = 2

/**
 * What share of the best part of the whole answer a further part must reach. On LoCoMo, five sessions to a document,
 * the lines that answer stand in what is shown for .56 of the questions with one part a document, for .68 with this at
 * .8 (a further part for every fourth document), .72 at .7 (for every second), .76 at .6 (for nearly all). The same
 * share of the document's own best gains less for more: .71 with 1.3 parts a document. Cosines alone lie closer
 * together: .44 of the questions without, .59 at .85 (three for four documents), .65 at .7 (for all).
 */
const FURTHER_FROM = { words: 0.7, both: 0.7, meaning: 0.85 }

/**
 * A part that is as good as the one its document stands for is shown beside it also where a short note, say, is better
 * than both; not below half of that. It costs LoCoMo a further part for every eighth document.
 */
const AS_GOOD = 0.95
const LEAST = 0.5

export interface PartScores extends Pick<HybridQuery, 'by'> {
  /** What coverage counts beside a cosine. */
  readonly weight: number
  readonly coverage: Float32Array
  readonly cosines: ReadonlyMap<number, number> | undefined
}

/**
 * For each document that was found, the rows of its further parts, best first. They stand with their document and not in
 * a list of their own, so no part of one document pushes out another document.
 */
export function furtherParts(rows: RankedRows, found: readonly BestRow[], scores: PartScores): number[][] {
  const { by, weight, coverage, cosines } = scores
  // By itself, without what its document adds.
  const scoreOf = (row: number) =>
    (by === 'words' ? 0 : Math.max(0, cosines?.get(row) ?? 0)) + (by === 'meaning' ? 0 : weight * coverage[row]!)
  const best = found.reduce((most, { row }) => Math.max(most, scoreOf(row)), 0)
  const least = (own: number) => Math.min(FURTHER_FROM[by] * best, Math.max(AS_GOOD * own, LEAST * best))
  return found.map(({ row }) =>
    rowsBeside(rows, row)
      .map((beside) => ({ row: beside, score: scoreOf(beside) }))
      .filter(({ score }) => score > 0 && score >= least(scoreOf(row)))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, MOST_FURTHER)
      .map((part) => part.row),
  )
}

/** All rows of the documents that were found. */
export const rowsOfFound = (rows: RankedRows, found: readonly BestRow[]): number[] =>
  found.flatMap(({ row }) => [row, ...rowsBeside(rows, row)])

/** The other rows of the same document, which are neighbours. */
function rowsBeside({ size, ownerOf }: RankedRows, row: number): number[] {
  const beside: number[] = []
  for (let at = row - 1; at >= 0 && ownerOf[at] === ownerOf[row]; at--) beside.push(at)
  for (let at = row + 1; at < size && ownerOf[at] === ownerOf[row]; at++) beside.push(at)
  return beside
}
