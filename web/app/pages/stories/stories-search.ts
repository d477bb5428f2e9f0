export interface StoriesSearch {
  /** Words that its name has. */
  readonly q?: string
  readonly archived?: true
  /** Only those that others share. */
  readonly shared?: true
  readonly view?: 'edit' | 'versions'
  /** An earlier version to read; with `view=versions` the one that is compared. */
  readonly version?: number
  /** What it is compared with; the one before it if left out. */
  readonly from?: number
}

export function readStoriesSearch(given: Readonly<Record<string, unknown>>): StoriesSearch {
  const { q, archived, shared, view, version, from } = given
  return {
    ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 200) }),
    ...((archived === true || archived === 'true') && { archived: true as const }),
    ...((shared === true || shared === 'true') && { shared: true as const }),
    ...((view === 'edit' || view === 'versions') && { view }),
    ...(isNumber(version) && { version: Number(version) }),
    ...(isNumber(from) && { from: Number(from) }),
  }
}

const isNumber = (given: unknown): boolean => /^[1-9]\d{0,6}$/.test(String(given))
