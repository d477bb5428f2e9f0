import type { TokenAudience } from '../../../team/domain/oauth/resource.ts'
import { audienceOf } from '../../../team/domain/oauth/resource.ts'
import { ALL_SCOPES, type Scope } from '../../../team/domain/oauth/scopes.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import { RESOURCE_METADATA } from './metadata.ts'
import type { OAuthOptions } from './oauth-options.ts'

/** The person behind a request, and the request's permissions. */
export interface TokenAccess {
  readonly person: string
  readonly grant: string
  readonly client: string
  readonly clientName: string
  readonly scopes: readonly Scope[]
  readonly projects: readonly string[]
  readonly expiresAt: Date
}

export interface BearerAccess {
  /** The permissions of a token for this server; undefined for any other token. */
  accessOf(token: string): Promise<TokenAccess | undefined>
  /** 401, with the URL where a client finds out how to get a token (RFC 9728). */
  challenge(problem?: 'invalid_token'): Response
  /** 403, with the required scopes. */
  insufficient(needed: readonly Scope[]): Response
}

/** Token access for the handler of `/mcp`. */
export function bearerAccess({
  publicUrl,
  store,
  clock,
  isActive,
}: Pick<OAuthOptions, 'publicUrl' | 'store' | 'clock' | 'isActive'>): BearerAccess {
  const audience = audienceOf(publicUrl)
  return {
    async accessOf(token) {
      const found = await store.authorizations.find(hashOfSecret(token), clock.now())
      // The same database may have served another public URL before.
      if (found === undefined || found.grant.resource !== audience.resource) return undefined
      if (!(await isActive(found.grant.person))) return undefined
      const { person, id, client, clientName, projects } = found.grant
      return { person, grant: id, client, clientName, projects, scopes: found.scopes, expiresAt: found.expiresAt }
    },
    challenge: (problem) => denied(401, { ...(problem && { error: problem }), scope: ALL_SCOPES.join(' ') }, audience),
    insufficient: (needed) => denied(403, { error: 'insufficient_scope', scope: needed.join(' ') }, audience),
  }
}

/** Read only from the header: URLs end up in logs. */
export const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(headers.get('authorization') ?? '')?.[1]

function denied(status: 401 | 403, said: Readonly<Record<string, string>>, { issuer }: TokenAudience): Response {
  const told = Object.entries({ ...said, resource_metadata: `${issuer}${RESOURCE_METADATA}/mcp` })
  const message = status === 401 ? 'A bearer token is needed.' : 'The token does not allow this.'
  return Response.json(
    { error: { code: 'forbidden', message } },
    {
      status,
      headers: { 'www-authenticate': `Bearer ${told.map(([name, value]) => `${name}="${value}"`).join(', ')}` },
    },
  )
}
