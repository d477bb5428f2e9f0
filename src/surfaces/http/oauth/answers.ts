import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { OAUTH_ERRORS, refusedWith } from '../../../team/domain/oauth/oauth-refusal.ts'

/** Answers that hold a secret are kept nowhere on the way. */
export const UNKEPT = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

/** For a program: the name that the RFC has for it, and a sentence of ours. What is no refusal is told as a fault. */
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
