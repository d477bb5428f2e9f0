export interface SpaceUsage {
  /** Database and log. */
  readonly bytes: number
  /** Approximate bytes that `reclaim` would free. */
  readonly wasted: number
  /** Share of the indexed text that comes from sessions, from 0 to 1. */
  readonly sessionShare: number
}

/** Disk space used by the index. */
export interface IndexSpace {
  usage(): Promise<SpaceUsage>
  /** Removes vectors without a text and returns their number. */
  removeOrphans(): Promise<number>
  /** Removes the vectors of some embedders and returns their number. */
  removeVectors(isUnwanted: (embedder: string) => boolean): Promise<number>
  /** Rewrites the files without removed data, so that none of it is left in their bytes and the space is freed. */
  reclaim(): Promise<void>
}
