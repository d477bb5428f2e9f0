/** A line of the timeline: the heading of a month, or the decision at a place of the list. */
export type TimelineRow =
  | { readonly kind: 'month'; readonly month: string; readonly count: number }
  | { readonly kind: 'decision'; readonly at: number }

export interface Month {
  readonly month: string
  readonly count: number
}

/** The lines without making them: there may be a hundred thousand, and only those in sight are asked for. */
export interface TimelineRows {
  readonly length: number
  at(row: number): TimelineRow
  /** The line that a decision stands on. */
  rowOf(place: number): number
}

/** Months newest first, each with a heading and as many decisions as it has. */
export function timelineRows(months: readonly Month[]): TimelineRows {
  const starts: number[] = []
  let length = 0
  for (const { count } of months) {
    starts.push(length)
    length += count + 1
  }
  /** The last month that starts at or before a line. */
  function monthAt(row: number): number {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= row) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    length,
    at(row) {
      const month = monthAt(row)
      return row === starts[month] ? { kind: 'month', ...months[month]! } : { kind: 'decision', at: row - month - 1 }
    },
    rowOf(place) {
      // Before it stand all decisions that are newer, and one heading for each month up to its own.
      let month = 0
      while (month < months.length - 1 && starts[month + 1]! - (month + 1) <= place) month++
      return place + month + 1
    },
  }
}
