import type { OAuthClient } from './oauth-client.ts'
import { refusal, type OAuthParameters } from './oauth-refusal.ts'
import { CHALLENGE_METHOD, isChallenge } from './pkce.ts'
import { isRegisteredRedirect } from './redirect-uri.ts'
import { checkResource, type TokenAudience } from './resource.ts'
import { readScopes, type Scope } from './scopes.ts'

/** A request that a person must approve. */
export interface AuthorizationRequest {
  readonly scopes: readonly Scope[]
  readonly challenge: string
}

/**
 * The redirect target. Unless the client has registered exactly this URI, there is no redirect: errors are shown only
 * to the person.
 */
export function readRedirect(parameters: OAuthParameters, client: OAuthClient): string {
  const asked = parameters.one('redirect_uri')
  if (asked === undefined) throw refusal('invalid_request', 'The request does not say where the answer goes.')
  if (!isRegisteredRedirect(asked, client))
    throw refusal('invalid_request', 'The address for the answer is not one that the client registered.')
  return asked
}

/** The rest of the request; errors in it are sent to the client. */
export function readAuthorizationRequest(
  parameters: OAuthParameters,
  client: OAuthClient,
  audience: TokenAudience,
): AuthorizationRequest {
  if (parameters.one('response_type') === undefined)
    throw refusal('invalid_request', 'The parameter response_type is missing.')
  if (parameters.one('response_type') !== 'code')
    throw refusal('unsupported_response_type', 'Only the response type code is supported.')
  if ((parameters.one('response_mode') ?? 'query') !== 'query')
    throw refusal('invalid_request', 'Only the response mode query is supported.')
  if (parameters.one('request') !== undefined || parameters.one('request_uri') !== undefined)
    throw refusal('invalid_request', 'Request objects are not supported.')
  if (!client.grants.includes('authorization_code'))
    throw refusal('unauthorized_client', 'The client may not use the authorization code grant.')
  const challenge = parameters.one('code_challenge')
  // RFC 7636: without a method the challenge is plain, which is refused.
  if (challenge === undefined || parameters.one('code_challenge_method') !== CHALLENGE_METHOD)
    throw refusal('invalid_request', 'PKCE is required: code_challenge with code_challenge_method S256.')
  if (!isChallenge(challenge)) throw refusal('invalid_request', 'The code_challenge is not a SHA-256 in base64url.')
  checkResource(parameters.all('resource'), audience)
  return { challenge, scopes: readScopes(parameters.one('scope')) }
}
