import { errors, jwtVerify, type JWK } from 'jose'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fetchInPlace } from '../../kernel/system/model-http.ts'

export interface MicrosoftTokensOptions {
  readonly appId: string
  /** The OpenID metadata of the Bot Connector. */
  readonly metadata: string
}

/** What a verified token says: the address of the service that sent the request. */
export interface FromMicrosoft {
  readonly serviceUrl: string
}

const ISSUER = 'https://api.botframework.com'
const SKEW_S = 5 * 60
const LONGEST_TOKEN = 8_192
const PATIENCE_MS = 5_000
const LARGEST_KEYS = 1024 * 1024
// Keys are good for a day; an unknown one may be new, but anyone can name one.
const [OLDEST_MS, SOONEST_MS] = [24 * 3_600_000, 60_000]

const metadata = z.object({ issuer: z.literal(ISSUER), jwks_uri: z.string().max(500) })
const keyList = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), endorsements: z.array(z.string()).default([]) })),
})
// A token for several apps is none of ours.
const claims = z.object({ aud: z.string(), serviceurl: z.string() })

/**
 * Verifies the token of a request as the Bot Connector requires: signed with a key that is endorsed for Teams, by its
 * issuer, for this app, now. Undefined for every other token.
 */
export function openMicrosoftTokens({ appId, metadata: address }: MicrosoftTokensOptions) {
  let keys: { readonly all: z.output<typeof keyList>['keys']; readonly at: number } | undefined
  let tried = -Infinity
  let loading: Promise<void> | undefined
  const load = async (now: number): Promise<void> => {
    tried = now
    const { jwks_uri: place } = metadata.parse(await jsonAt(address))
    // Keys come from the origin of the metadata or from Microsoft over TLS.
    if (new URL(place).origin !== new URL(address).origin && !place.startsWith('https://login.botframework.com/'))
      throw new Error('keys of another origin')
    keys = { all: keyList.parse(await jsonAt(place)).keys, at: now }
  }
  const keyOf = async (kid: string, now: number) => {
    const find = () => keys?.all.find((key) => key.kid === kid)
    const isFresh = (): boolean => keys !== undefined && now - keys.at <= OLDEST_MS
    const known = isFresh() ? find() : undefined
    // A request with a known key does not wait for keys that a stranger's request asks for.
    if (known !== undefined) return known
    if (now - tried >= SOONEST_MS)
      loading = load(now)
        .catch((cause: unknown) => {
          throw new AppError('unavailable', 'The keys of the Bot Connector cannot be read.', { cause })
        })
        .finally(() => (loading = undefined))
    await loading
    return isFresh() ? find() : undefined
  }
  return async (header: string | undefined, now: Date): Promise<FromMicrosoft | undefined> => {
    const token = /^Bearer (\S+)$/.exec((header ?? '').slice(0, LONGEST_TOKEN))?.[1]
    if (token === undefined) return undefined
    const endorsed = async ({ kid = '' }): Promise<JWK> => {
      const key = await keyOf(kid, now.getTime())
      if (key?.kty !== 'RSA' || !key.endorsements.includes('msteams')) throw new errors.JWKSNoMatchingKey()
      return key
    }
    try {
      const verified = await jwtVerify(token, endorsed, {
        algorithms: ['RS256'],
        issuer: ISSUER,
        audience: appId,
        requiredClaims: ['exp'],
        clockTolerance: SKEW_S,
        currentDate: now,
      })
      const said = claims.safeParse(verified.payload)
      return said.success ? { serviceUrl: said.data.serviceurl } : undefined
    } catch (thrown) {
      if (thrown instanceof errors.JOSEError) return undefined
      throw thrown
    }
  }
}

async function jsonAt(address: string): Promise<unknown> {
  const response = await fetchInPlace(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
  const bytes = await response.bytes()
  if (!response.ok || bytes.length > LARGEST_KEYS) throw new Error(`it answered ${response.status}`)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
}
