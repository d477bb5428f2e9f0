import { AppError } from '../../../kernel/domain/errors.ts'
import { refusal } from './oauth-refusal.ts'

/** The token issuer, and the only place that accepts its tokens. */
export interface TokenAudience {
  readonly issuer: string
  readonly resource: string
}

/** The audience from the server's public URL, which must be an origin, encrypted unless it is this machine. */
export function audienceOf(publicUrl: string): TokenAudience {
  const issuer = publicUrl.replace(/\/$/, '')
  if (!/^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?$/.test(issuer))
    throw new AppError(
      'invalid_input',
      'The public address of the server is not an origin such as https://ken.example.com',
      {
        hint: 'Set KEN_PUBLIC_URL to scheme, host and port in lower case, without a path; http only for this machine.',
      },
    )
  return { issuer, resource: `${issuer}/mcp` }
}

/** RFC 8707: throws if a token is requested for another server. Without a resource, the token is for this server. */
export function checkResource(asked: readonly string[], { resource }: TokenAudience): void {
  if (!asked.every((one) => canonical(one) === resource))
    throw refusal('invalid_target', 'The resource is not this server.')
}

/** Scheme and host are case-insensitive. */
const canonical = (uri: string): string => uri.replace(/^[a-z]+:\/\/[^/]*/i, (origin) => origin.toLowerCase())
