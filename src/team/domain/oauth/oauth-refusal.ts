import { AppError } from '../../../kernel/domain/errors.ts'

/** The error codes of RFC 6749, 7009, 7591, 8628 and 8707, with their status. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  temporarily_unavailable: 429,
  server_error: 500,
} as const

export type OAuthErrorName = keyof typeof OAUTH_ERRORS

/** A refusal for a client in the terms of the protocol. Its message contains nothing that the client sent. */
export const refusal = (error: OAuthErrorName, message: string): AppError =>
  new AppError('invalid_input', message, { details: { oauth: error } })

/** The protocol's error code; undefined if the error is not a refusal. */
export function refusedWith(thrown: unknown): OAuthErrorName | undefined {
  const name = thrown instanceof AppError ? thrown.details?.['oauth'] : undefined
  return typeof name === 'string' && Object.hasOwn(OAUTH_ERRORS, name) ? (name as OAuthErrorName) : undefined
}

/** The parameters of a request. A parameter without a value counts as absent (RFC 6749, 3.1). */
export interface OAuthParameters {
  one(name: string): string | undefined
  /** All values of the only parameter that may be repeated. */
  all(name: 'resource'): readonly string[]
}

const LONGEST_VALUE = 4_000
const MOST = 40

/**
 * Refuses repeated parameters: of two programs that handle the request, one may use the first and the other the last.
 * `resource` may be repeated by RFC 8707, and all of its values count.
 */
export function readParameters(pairs: Iterable<readonly [string, string]>): OAuthParameters {
  const held = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > MOST || value.length > LONGEST_VALUE || value.includes('\0'))
      throw refusal('invalid_request', 'The request is too large.')
    held.set(name, [...(held.get(name) ?? []), value])
  }
  for (const [name, values] of held)
    if (values.length > 1 && name !== 'resource')
      throw refusal('invalid_request', 'A parameter is in the request more than once.')
  return {
    one: (name) => held.get(name)?.[0] || undefined,
    all: (name) => (held.get(name) ?? []).filter((value) => value !== ''),
  }
}
