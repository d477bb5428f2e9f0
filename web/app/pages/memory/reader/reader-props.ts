import type { Calls } from '../../../api/call.ts'

export type ReadDocument = Calls['memory_get']['output']

export interface ReaderProps {
  readonly document: ReadDocument
  /** The line to open at. */
  readonly line: number | undefined
  /** The search terms that led here. */
  readonly find: string
  /** Whether the document is a full page. */
  readonly isWhole: boolean
}
