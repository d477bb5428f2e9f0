import type { Calls } from '../../../api/call.ts'

export type ReadDocument = Calls['memory_get']['output']

export interface ReaderProps {
  readonly document: ReadDocument
  /** The line to begin at. */
  readonly line: number | undefined
  /** The words that led here. */
  readonly find: string
  /** It has the page for itself. */
  readonly isWhole: boolean
}
