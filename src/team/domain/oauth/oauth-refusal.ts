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
