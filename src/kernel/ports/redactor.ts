import type { Redacted } from '../domain/secrets/redact.ts'

export type { Redacted }

/** Takes secrets out of text before it is stored, and again before it is returned. */
export interface Redactor {
  /** The text with every secret replaced by a mark. Text without secrets comes back as it is. */
  redact(text: string): Promise<Redacted>
}
