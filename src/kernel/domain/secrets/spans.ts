/** Start and end, in UTF-16 units. */
export type Span = readonly [from: number, to: number]
