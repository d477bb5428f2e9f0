/** How to interpret the cosines of a model; see the embedder port. */
export interface Calibration {
  readonly beta: number
  readonly noise: number
  readonly strong: number
  readonly weight: number
  /** Scores with `weight` that questions about something else seldom reach; undefined if not measured for the model. */
  readonly lines?: { readonly strong: number; readonly related: number } | undefined
}
