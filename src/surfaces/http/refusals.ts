import { ERROR_TABLE, type AppError } from '../../kernel/domain/errors.ts'

export const nothingHere = (): Response =>
  Response.json(
    {
      error: {
        code: 'not_found',
        message: 'There is nothing at this address.',
        hint: 'GET /openapi.json lists every operation.',
      },
    },
    { status: 404 },
  )

export const denied = (status: 401 | 403 | 413, message: string, hint?: string): Response =>
  Response.json(
    { error: { code: status === 413 ? 'invalid_input' : 'forbidden', message, ...(hint && { hint }) } },
    { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} },
  )

export const busy = (): Response =>
  Response.json(
    {
      error: {
        code: 'unavailable',
        message: 'Too many large requests in progress.',
        hint: 'Try again shortly.',
      },
    },
    { status: 503, headers: { 'retry-after': '1' } },
  )

export const tooMany = (seconds: number): Response =>
  Response.json(
    { error: { code: 'unavailable', message: 'Too many requests.', hint: `Try again in ${seconds} s.` } },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  )

/** Status and headers of a failed request: 429 with Retry-After if the failure names the seconds to wait. */
export function failureHead({ code, details }: AppError): { status: number; headers: Record<string, string> } {
  const seconds = details?.['retryAfter']
  if (typeof seconds !== 'number') return { status: ERROR_TABLE[code].http, headers: {} }
  return { status: 429, headers: { 'retry-after': String(seconds) } }
}
