import type { Redacted } from '../domain/secrets/redact.ts'

export type { Redacted }

/** Redacts secrets from text before it is stored, and again before it is returned. */
export interface Redactor {
  /** Replaces every secret with a mark. Text without secrets is returned unchanged. */
  redact(text: string): Promise<Redacted>
}
