/** Rows that are fetched at once: about 36 KB. */
export const PAGE = 200

/** The pages that rows from `first` to `last` lie on. */
export function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE)
  const to = Math.floor(Math.max(0, last) / PAGE)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/** A list in which only what was fetched is there; its length is that of the whole. */
export function sparse<T>(total: number, pages: ReadonlyMap<number, readonly T[]>): T[] {
  const rows: T[] = []
  rows.length = total
  for (const [page, found] of pages) for (const [at, row] of found.entries()) rows[page * PAGE + at] = row
  return rows
}

// More pages than are ever on a screen; an older one is fetched again when the reader comes back to it.
const MOST_KEPT = 12

/** The pages to hold after some came into sight: those in sight, and the latest before them. */
export const keepPages = (held: readonly number[], seen: readonly number[]): readonly number[] => {
  if (seen.every((page) => held.includes(page))) return held
  return [...held.filter((page) => !seen.includes(page)), ...seen].slice(-Math.max(MOST_KEPT, seen.length))
}
