/** What a build did, or would do, with one source. */
export interface SourceReport {
  readonly source: string
  readonly listed: number
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  readonly milliseconds: number
  readonly error?: string
}

export interface Failure {
  readonly source: string
  readonly item: string
  readonly message: string
}

export interface BuildReport {
  readonly sources: readonly SourceReport[]
  /** Items that were or would be fetched, with the reason. */
  readonly due: readonly { readonly source: string; readonly item: string; readonly reason: string }[]
  readonly removed: readonly string[]
  readonly failures: readonly Failure[]
  /** Files left alone although Ken would write there: somebody else's, or edited by hand. */
  readonly kept: readonly string[]
  readonly skipped: readonly Failure[]
  /** How long each item took that was fetched. */
  readonly took: readonly { readonly item: string; readonly milliseconds: number }[]
  readonly redacted: number
}

/** The same, while it is being filled. */
export type Notes = {
  -readonly [K in keyof Omit<BuildReport, 'sources'>]: BuildReport[K] extends readonly (infer T)[]
    ? T[]
    : BuildReport[K]
}

export const blankNotes = (): Notes => ({
  due: [],
  removed: [],
  failures: [],
  kept: [],
  skipped: [],
  took: [],
  redacted: 0,
})
