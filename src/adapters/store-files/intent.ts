import { createHash } from 'node:crypto'

/** One change of the record, whole: enough to finish it after a crash. */
export interface Intent {
  readonly id: string
  readonly writes: readonly { readonly path: string; readonly text: string }[]
  readonly removes: readonly string[]
  /** In this order; the journal comes last, so that its line says that everything before it has landed. */
  readonly appends: readonly Append[]
}

export interface Append {
  readonly path: string
  /** Size of the file before the change. */
  readonly offset: number
  readonly text: string
}

/** The first line is the hash of the rest: a torn intent is told from a whole one. */
export function encodeIntent(intent: Intent): string {
  const body = JSON.stringify(intent)
  return `${sha256(body)}\n${body}`
}

/** Undefined for an intent that was not written to its end: nothing of it has been applied. */
export function decodeIntent(text: string): Intent | undefined {
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  return end > 0 && text.slice(0, end) === sha256(body) ? (JSON.parse(body) as Intent) : undefined
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
