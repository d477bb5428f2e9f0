export interface StoriesSearch {
  /** Search terms for the name. */
  readonly q?: string
  readonly archived?: true
  /** Only stories that others share. */
  readonly shared?: true
  readonly view?: 'edit' | 'versions'
  /** An earlier version to read; with `view=versions` the one to compare. */
  readonly version?: number
  /** The version to compare with; default: the previous one. */
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
