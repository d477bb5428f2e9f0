import { runningText } from '../../kit/running-text.ts'
import type { Hit } from './use-hits.ts'

export interface Passage {
  readonly line: number
  readonly text: string
}

// Nobody reads longer passages in a list, and one line may be a megabyte.
const LONGEST = 320

/** Passages of a hit as running text: its best part, and at most two more. A short note is not repeated. */
export const passagesOf = (hit: Pick<Hit, 'title' | 'snippet' | 'start_line' | 'parts'>): readonly Passage[] =>
  [{ start_line: hit.start_line, snippet: hit.snippet }, ...(hit.parts ?? [])]
    .slice(0, 3)
    .map(({ start_line: line, snippet }) => ({ line, text: runningText(snippet, LONGEST, hit.title) }))
    .filter(({ text }) => text !== '')
