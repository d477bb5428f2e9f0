import { isUlid } from '../../../kernel/domain/project/config.ts'
import { sha256 } from '../record-text.ts'

/** One complete change of the record: enough to finish it after a crash. */
export interface Intent {
  /** A ULID; used in file names. */
  readonly id: string
  readonly writes: readonly Write[]
  readonly removes: readonly Removal[]
  /** Applied in this order; the journal is last, so that its line proves that everything before it was written. */
  readonly appends: readonly Append[]
}

/**
 * `before` is the hash of the text on which the change is based, null if there was no file: recovery overwrites no
 * other text.
 */
export interface Write {
  readonly path: string
  readonly text: string
  readonly before: string | null
}

export interface Removal {
  readonly path: string
  readonly before: string
}

export interface Append {
  readonly path: string
  /** Size of the file before the change. */
  readonly offset: number
  readonly text: string
}

/** The first line is the hash of the rest, which distinguishes a torn intent from a whole one. */
export function encodeIntent(intent: Intent): string {
  const body = JSON.stringify(intent)
  return `${sha256(body)}\n${body}`
}

/** Undefined for an incomplete intent: nothing of it has been applied. */
export function decodeIntent(text: string): Intent | undefined {
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  if (end <= 0 || text.slice(0, end) !== sha256(body)) return undefined
  const intent = JSON.parse(body) as Intent
  return isUlid(intent.id) ? intent : undefined
}
