/** Query results, kept for a while so that a later call can read more of them. */
export interface KeptResults {
  keep(id: string, text: string): Promise<void>
  /** Undefined if there is none, or it is older than an hour. */
  find(id: string): Promise<string | undefined>
}
