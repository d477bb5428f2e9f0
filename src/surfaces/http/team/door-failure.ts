import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'

/**
 * The response if authentication itself failed: mostly an unreachable database. An unexpected error may contain
 * anything, so none of it is shown.
 */
export function doorFailure(thrown: unknown): Response {
  if (!(thrown instanceof AppError))
    return Response.json({ error: { code: 'internal', message: 'A fault in Ken itself.' } }, { status: 500 })
  const { code, message, hint } = toAppError(thrown)
  return Response.json({ error: { code, message, ...(hint && { hint }) } }, { status: ERROR_TABLE[code].http })
}
