import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { ChatPart } from './domain/chat/part.ts'

/** What went wrong, as a part of the answer that it ends. */
export function failurePart(thrown: unknown): ChatPart {
  const { code, message, hint } = toAppError(thrown)
  return { kind: 'failure', code, message, ...(hint !== undefined && { hint }) }
}
