/** Range of lines, both ends inclusive, with its heading. */
export interface JoinedRange {
  readonly startLine: number
  readonly endLine: number
  readonly heading: string
}

/** Merges ranges that overlap or touch, keeping the place and heading of the first. */
export function joinRanges(ranges: readonly JoinedRange[]): JoinedRange[] {
  for (const [at, first] of ranges.entries()) {
    const met = ranges.findIndex((other, i) => i > at && meets(first, other))
    if (met < 0) continue
    const startLine = Math.min(first.startLine, ranges[met]!.startLine)
    const endLine = Math.max(first.endLine, ranges[met]!.endLine)
    // The merged range may touch another one.
    return joinRanges(ranges.with(at, { ...first, startLine, endLine }).toSpliced(met, 1))
  }
  return [...ranges]
}

const meets = (a: JoinedRange, b: JoinedRange): boolean => a.startLine <= b.endLine + 1 && b.startLine <= a.endLine + 1
