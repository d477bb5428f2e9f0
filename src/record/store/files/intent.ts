import { isUlid } from '../../../kernel/domain/project/config.ts'
import { sha256 } from '../record-text.ts'

/** One change of the record, whole: enough to finish it after a crash. */
export interface Intent {
  /** A ULID: it names files. */
  readonly id: string
  readonly writes: readonly Write[]
  readonly removes: readonly Removal[]
  /** In this order; the journal comes last, so that its line says that everything before it has landed. */
  readonly appends: readonly Append[]
}

/**
 * `before` is the hash of what the change was made on, null where there was no file: recovery writes over nothing else.
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

/** Undefined for an intent that was not written to its end: nothing of it has been applied. */
export function decodeIntent(text: string): Intent | undefined {
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  if (end <= 0 || text.slice(0, end) !== sha256(body)) return undefined
  const intent = JSON.parse(body) as Intent
  return isUlid(intent.id) ? intent : undefined
}
