import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { ChatPart } from './domain/chat/part.ts'

/** Converts a failure to the part that ends the answer. */
export function failurePart(thrown: unknown): ChatPart {
  const { code, message, hint } = toAppError(thrown)
  return { kind: 'failure', code, message, ...(hint !== undefined && { hint }) }
}
