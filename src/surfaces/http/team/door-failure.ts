import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'

/**
 * The answer where the door itself failed, before anybody was known: mostly a database that is away. What is no failure
 * on purpose may say anything, so none of it is told.
 */
export function doorFailure(thrown: unknown): Response {
  if (!(thrown instanceof AppError))
    return Response.json({ error: { code: 'internal', message: 'A fault in Ken itself.' } }, { status: 500 })
  const { code, message, hint } = toAppError(thrown)
  return Response.json({ error: { code, message, ...(hint && { hint }) } }, { status: ERROR_TABLE[code].http })
}
