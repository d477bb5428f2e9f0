/** A part of a document that is searched and returned by itself. */
export interface Chunk {
  /** 1-based, both included. A line that is longer than a chunk may hold may be spread over several. */
  readonly startLine: number
  readonly endLine: number
  /** `document.slice(start, end)` is the text; a chunk may begin before its predecessor ends. */
  readonly start: number
  readonly end: number
  readonly text: string
  /**
   * Where it stands: the headings above it, the question it answers, or the symbols it defines; empty when there are
   * none.
   */
  readonly heading: string
  /** Only the assistant speaks in it. */
  readonly isReply?: boolean
}

/** About 900 tokens of English. */
export const CHUNK_TARGET = 3_600
/** No chunk is longer, whatever the document holds. */
export const CHUNK_CAP = 4_400
/** What a chunk repeats of the one before when the cut falls inside a section: 15 % of the target. */
export const CHUNK_OVERLAP = 540

export const headingPath = (names: readonly string[]): string => names.join(' › ')
