import { diskFailure } from './disk-failure.ts'
import { AppError } from './errors.ts'
import { redactDeep } from './secrets/redact-deep.ts'

/** The only conversion of thrown values: the result is output like any answer, so it contains no secret. */
export function toAppError(thrown: unknown): AppError {
  const error = asAppError(thrown)
  const { value, count } = redactDeep({ message: error.message, hint: error.hint ?? '', details: error.details })
  return count === 0
    ? error
    : new AppError(error.code, value.message, {
        hint: value.hint,
        cause: error.cause,
        ...(value.details && { details: value.details }),
      })
}

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const refused = diskFailure(thrown)
  if (refused !== undefined) return refused
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new AppError('internal', message.split('\n')[0] || 'unknown fault', {
    hint: 'This is a fault in Ken; run again with KEN_DEBUG=1 and report it.',
    cause: thrown,
  })
}
