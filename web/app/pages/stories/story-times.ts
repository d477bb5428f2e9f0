/** When the oldest rows of a story were read; undefined if it has none. */
export const oldestOf = (data: readonly { readonly at: string }[]): string | undefined =>
  data.map(({ at }) => at).toSorted()[0]
