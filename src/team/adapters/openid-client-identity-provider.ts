import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import { AppError } from '../../kernel/domain/errors.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import { domainOf, emailAddress } from '../domain/email-address.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'

export interface ProviderSettings {
  readonly name: string
  /** Exactly as in the provider's signed tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The redirect target for browsers, as registered with the provider. */
  readonly redirectUri: string
  /** E-mail domains that the provider may vouch for. */
  readonly domains: readonly string[]
}

const PATIENCE_SECONDS = 15
const LONGEST_QUERY = 8_000
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Any OpenID Connect provider, found by its discovery document; code flow with PKCE, state and nonce. */
export async function openIdentityProvider(settings: ProviderSettings): Promise<IdentityProvider> {
  const { name, issuer, clientId, clientSecret, redirectUri } = settings
  const at = new URL(issuer)
  const isLoopback = at.protocol === 'http:' && LOOPBACK.has(at.hostname)
  if (at.protocol !== 'https:' && !isLoopback)
    throw new AppError('invalid_input', 'An identity provider’s address must use https.')
  const domains = new Set(settings.domains.map((domain) => domain.trim().toLowerCase()))
  if (domains.size === 0)
    throw new AppError('invalid_input', 'An identity provider needs at least one domain.', {
      hint: 'List the domains of your e-mail addresses.',
    })
  const library = await loadOptional<typeof import('openid-client')>('openid-client')
  let known: Promise<Configuration> | undefined
  const discover = async (): Promise<Configuration> => {
    const execute = isLoopback ? [library.allowInsecureRequests] : []
    const options = { execute, timeout: PATIENCE_SECONDS }
    const found = await library.discovery(at, clientId, clientSecret, undefined, options)
    if (found.serverMetadata().issuer !== issuer) throw new Error('another issuer')
    return found
  }
  const configuration = async (): Promise<Configuration> => {
    const asked = (known ??= discover())
    try {
      return await asked
    } catch {
      if (known === asked) known = undefined
      throw new AppError('unavailable', `${name} can’t be used to sign in.`, {
        hint: 'Try again shortly, or sign in with a code.',
      })
    }
  }
  return {
    name,
    domains: [...domains],
    async begin() {
      const config = await configuration()
      const verifier = library.randomPKCECodeVerifier()
      const trip = { state: library.randomState(), nonce: library.randomNonce(), verifier }
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: trip.state,
        nonce: trip.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, trip }
    },
    async finish(query, { state, nonce, verifier }) {
      const config = await configuration()
      const back = new URL(redirectUri)
      back.search = query.slice(0, LONGEST_QUERY)
      try {
        const answer = await library.authorizationCodeGrant(config, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = answer.claims()
        if (claims === undefined) return undefined
        // Many providers return the e-mail address only from the userinfo endpoint.
        const said =
          claims['email'] === undefined ? await library.fetchUserInfo(config, answer.access_token, claims.sub) : claims
        return proven(said, domains)
      } catch {
        return undefined
      }
    },
  }
}

function proven(said: IDToken | UserInfoResponse, domains: ReadonlySet<string>): { email: string } | undefined {
  if (said['email_verified'] !== true || typeof said['email'] !== 'string') return undefined
  const email = emailAddress(said['email'])
  return domains.has(domainOf(email)) ? { email } : undefined
}
