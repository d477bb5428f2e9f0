import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { OAUTH_ERRORS, refusedWith } from '../../../team/domain/oauth/oauth-refusal.ts'

/** Responses with a secret must not be cached. */
export const UNKEPT = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/**
 * Response for a program: the RFC's error code with a message from Ken. Anything but a refusal is reported as a server
 * error.
 */
export function answerRefusal(thrown: unknown): Response {
  const error = refusedWith(thrown)
  if (error === undefined)
    return Response.json(
      { error: 'server_error', error_description: 'Something went wrong on the server.' },
      { status: thrown instanceof AppError ? ERROR_TABLE[thrown.code].http : 500, headers: UNKEPT },
    )
  const status = OAUTH_ERRORS[error]
  return Response.json(
    { error, error_description: (thrown as AppError).message },
    {
      status,
      headers: {
        ...UNKEPT,
        ...(status === 401 && { 'www-authenticate': 'Basic realm="ken"' }),
        ...(status === 429 && { 'retry-after': '600' }),
      },
    },
  )
}
