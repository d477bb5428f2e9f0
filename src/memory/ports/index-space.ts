export interface SpaceUsage {
  /** Database and log. */
  readonly bytes: number
  /** About how many of them `reclaim` would return. */
  readonly wasted: number
  /** How much of the indexed text is that of sessions, from 0 to 1. */
  readonly sessionShare: number
}

/** The room that the index takes on disk. */
export interface IndexSpace {
  usage(): Promise<SpaceUsage>
  /** Takes away vectors whose text is gone and gives their number. */
  removeOrphans(): Promise<number>
  /** Takes the vectors of some embedders out of the index and gives their number. */
  removeVectors(isUnwanted: (embedder: string) => boolean): Promise<number>
  /**
   * Rewrites the files without anything that was removed, so that none of it is left in their bytes and the space is
   * returned.
   */
  reclaim(): Promise<void>
}
