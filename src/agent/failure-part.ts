import type { ChatPart } from '../core/chat/part.ts'
import { toAppError } from '../core/to-app-error.ts'

/** What went wrong, as a part of the answer that it ends. */
export function failurePart(thrown: unknown): ChatPart {
  const { code, message, hint } = toAppError(thrown)
  return { kind: 'failure', code, message, ...(hint !== undefined && { hint }) }
}
