/** Rows per request: about 40 KB with their outcomes. */
export const PAGE = 100

/** The pages that contain the rows from `first` to `last`. */
export function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE)
  const to = Math.floor(Math.max(0, last) / PAGE)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** A sparse list of the loaded rows, with the length of the whole. */
export function sparse<T>(total: number, pages: ReadonlyMap<number, readonly T[]>): T[] {
  const rows: T[] = []
  rows.length = total
  for (const [page, found] of pages) for (const [at, row] of found.entries()) rows[page * PAGE + at] = row
  return rows
}

// More pages than fit on a screen; an older one is loaded again when needed.
const MOST_KEPT = 12

/** Pages to keep: the visible ones, and the most recently visible before them. */
export const keepPages = (held: readonly number[], seen: readonly number[]): readonly number[] => {
  if (seen.every((page) => held.includes(page))) return held
  return [...held.filter((page) => !seen.includes(page)), ...seen].slice(-Math.max(MOST_KEPT, seen.length))
}
