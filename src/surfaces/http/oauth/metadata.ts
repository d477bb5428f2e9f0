import { DEVICE_GRANT } from '../../../team/domain/oauth/oauth-client.ts'
import { CHALLENGE_METHOD } from '../../../team/domain/oauth/pkce.ts'
import type { TokenAudience } from '../../../team/domain/oauth/resource.ts'
import { ALL_SCOPES } from '../../../team/domain/oauth/scopes.ts'

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
export const SERVER_METADATA = '/.well-known/oauth-authorization-server'

/** RFC 9728: the token issuer for `/mcp`. */
export const resourceMetadata = ({ issuer, resource }: TokenAudience): Record<string, unknown> => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Ken',
})

/** RFC 8414, with the additions of RFC 7009, 7591, 8628 and 9207. */
export const serverMetadata = (
  { issuer }: TokenAudience,
  { allowsRegistration, readsDocuments }: { readonly allowsRegistration: boolean; readonly readsDocuments: boolean },
): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  ...(allowsRegistration && { registration_endpoint: `${issuer}/oauth/register` }),
  revocation_endpoint: `${issuer}/oauth/revoke`,
  device_authorization_endpoint: `${issuer}/oauth/device`,
  scopes_supported: ALL_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: [CHALLENGE_METHOD],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: readsDocuments,
})
