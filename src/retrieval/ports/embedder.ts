import type { Calibration } from '../domain/embedding/catalogue.ts'

/** How another thread of this process opens the same embedder: the module exports `openEmbedder`. */
export interface EmbedderElsewhere {
  readonly module: string
  readonly path: string
}

export type OpenEmbedder = (path: string) => Embedder

/**
 * Turns text into vectors of unit length. Every adapter passes test/contract/embedder.contract.ts.
 * The same id and text always produce the same vector, so vectors may be stored beside the id and compared later.
 */
export interface Embedder {
  /** Names model and revision, e.g. `static-256-1`; vectors of different ids are never compared. */
  readonly id: string
  readonly dimensions: number
  /**
   * How to combine lexical coverage and the cosine of this model: score = cosine + beta * coverage, for queries weighed
   * by the square root of idf. A score of at least `strong` is a strong hit; a cosine below `noise` is probably chance.
   * `weight` replaces beta when documents are ranked. Undefined: fuse by rank.
   */
  readonly calibration: Calibration | undefined
  /** Undefined if one thread is enough: the model has its own threads, or runs on another machine. */
  readonly elsewhere?: EmbedderElsewhere | undefined
  /**
   * One vector per text, in order; zero for empty text. `weigh` scales a word by its rarity in the caller's index
   * (queries only); models that cannot use it ignore it. Throws `unavailable` if the model cannot be reached.
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'document',
    weigh?: (word: string) => number,
  ): Promise<Float32Array[]>
  /** Whether the model's vocabulary contains a word, in lower case, as a whole; false if that is unknown. */
  knows(word: string): boolean
  close(): Promise<void>
}
