/** The candidate that was probably meant, when one is near enough to be a slip. */
export function closeMatch(word: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: editDistance(fold(word), fold(candidate)) }))
  const [best] = scored.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined
}

export const didYouMean = (word: string, candidates: readonly string[]): string => {
  const near = closeMatch(word, candidates)
  return near === undefined ? `It may be one of: ${candidates.join(', ')}.` : `Did you mean "${near}"?`
}

/** Whether a word is another but for a letter, or two of a long one. */
export const isSlipOf = (word: string, meant: string): boolean =>
  Math.abs(word.length - meant.length) <= 4 && editDistance(fold(word), fold(meant)) <= (meant.length < 10 ? 1 : 2)

const fold = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '')

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
