import { z } from 'zod'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import type { PasskeyCeremonies } from '../ports/passkey-ceremonies.ts'

type Library = typeof import('@simplewebauthn/server')

/** Passkeys of the server at this address, such as https://ken.example.com. */
export async function openPasskeyCeremonies(publicUrl: string): Promise<PasskeyCeremonies> {
  const { origin, hostname } = new URL(publicUrl)
  const library = await loadOptional<Library>('@simplewebauthn/server')
  return {
    askToRegister: ({ challenge, person, known }) =>
      library.generateRegistrationOptions({
        rpName: 'Ken',
        rpID: hostname,
        userID: new TextEncoder().encode(person.id),
        userName: person.email,
        userDisplayName: person.name,
        challenge: new Uint8Array(challenge),
        attestationType: 'none',
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    async register(response, challenge) {
      const parsed = REGISTERED.safeParse(response)
      if (!parsed.success) return undefined
      const checked = await orUndefined(
        library.verifyRegistrationResponse({
          response: parsed.data as Parameters<Library['verifyRegistrationResponse']>[0]['response'],
          expectedChallenge: textOf(challenge),
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      )
      if (checked?.verified !== true) return undefined
      const { id, publicKey, counter } = checked.registrationInfo.credential
      return { id, publicKey, counter, transports: parsed.data.response.transports ?? [] }
    },
    askToSignIn: (challenge) =>
      library.generateAuthenticationOptions({
        rpID: hostname,
        challenge: new Uint8Array(challenge),
        userVerification: 'required',
      }),
    claimed(response) {
      const parsed = SIGNED_IN.safeParse(response)
      if (!parsed.success) return undefined
      return { id: parsed.data.id, person: Buffer.from(parsed.data.response.userHandle, 'base64url').toString('utf8') }
    },
    async signIn(response, challenge, { id, publicKey, counter }) {
      const parsed = SIGNED_IN.safeParse(response)
      if (!parsed.success) return undefined
      const checked = await orUndefined(
        library.verifyAuthenticationResponse({
          response: parsed.data as Parameters<Library['verifyAuthenticationResponse']>[0]['response'],
          expectedChallenge: textOf(challenge),
          expectedOrigin: origin,
          expectedRPID: hostname,
          credential: { id, publicKey: new Uint8Array(publicKey), counter },
          requireUserVerification: true,
        }),
      )
      return checked?.verified === true ? { counter: checked.authenticationInfo.newCounter } : undefined
    },
  }
}

/** EdDSA, ES256 and RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/)
const credential = {
  id: bytes.min(1).max(1400),
  rawId: bytes.max(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
}
const REGISTERED = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
const SIGNED_IN = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.min(1).max(200),
  }),
})

const textOf = (challenge: Uint8Array): string => Buffer.from(challenge).toString('base64url')

/** The library throws for anything invalid; every such error is treated as the same refusal. */
async function orUndefined<T>(checked: Promise<T>): Promise<T | undefined> {
  try {
    return await checked
  } catch {
    return undefined
  }
}
