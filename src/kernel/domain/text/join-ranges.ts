/** Lines of a text, both included, and what they stand under. */
export interface JoinedRange {
  readonly startLine: number
  readonly endLine: number
  readonly heading: string
}

/** Ranges that overlap or touch become one, which stands where the first of them stood and keeps its heading. */
export function joinRanges(ranges: readonly JoinedRange[]): JoinedRange[] {
  for (const [at, first] of ranges.entries()) {
    const met = ranges.findIndex((other, i) => i > at && meets(first, other))
    if (met < 0) continue
    const startLine = Math.min(first.startLine, ranges[met]!.startLine)
    const endLine = Math.max(first.endLine, ranges[met]!.endLine)
    // Joined with one of them it may meet another.
    return joinRanges(ranges.with(at, { ...first, startLine, endLine }).toSpliced(met, 1))
  }
  return [...ranges]
}

const meets = (a: JoinedRange, b: JoinedRange): boolean => a.startLine <= b.endLine + 1 && b.startLine <= a.endLine + 1
