/** The room that the index takes on disk. */
export interface IndexSpace {
  /** Database and log. */
  bytes(): Promise<number>
  /** Takes away vectors whose text is gone and gives their number. */
  removeOrphans(): Promise<number>
  /** Rewrites the files without anything that was removed, so that none of it is left in their bytes and the space is returned. */
  reclaim(): Promise<void>
}
