/** A line of the timeline: a month's heading, or the decision at an index of the list. */
export type TimelineRow =
  | { readonly kind: 'month'; readonly month: string; readonly count: number }
  | { readonly kind: 'decision'; readonly at: number }

export interface Month {
  readonly month: string
  readonly count: number
}

/** Lazy lines: there may be a hundred thousand, and only visible ones are requested. */
export interface TimelineRows {
  readonly length: number
  at(row: number): TimelineRow
  /** Line of a decision. */
  rowOf(place: number): number
}

/** Months newest first, each with a heading and its decisions. */
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
      // Preceded by all newer decisions, and one heading for each month up to the decision's month.
      let month = 0
      while (month < months.length - 1 && starts[month + 1]! - (month + 1) <= place) month++
      return place + month + 1
    },
  }
}
