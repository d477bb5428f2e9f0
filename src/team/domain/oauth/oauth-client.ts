import { z } from 'zod'
import { visibleLine, withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { refusal } from './oauth-refusal.ts'
import { redirectKind } from './redirect-uri.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export type GrantType = 'authorization_code' | 'refresh_token' | typeof DEVICE_GRANT

/** A program that acts for a person. All clients are public: none has a secret. */
export interface OAuthClient {
  readonly id: string
  /** Self-declared and unverified. */
  readonly name: string
  /** How the client is identified: built into Ken, self-registered, or by an id that is the URL of its document. */
  readonly known: 'built in' | 'registered' | 'by document'
  readonly isNative: boolean
  readonly redirectUris: readonly string[]
  readonly grants: readonly GrantType[]
}

/**
 * The command line, which logs in from machines without a browser. Only it may use the device flow: otherwise a
 * stranger's program could request a code and trick a person into typing it.
 */
export const COMMAND_LINE: OAuthClient = {
  id: 'ken-cli',
  name: 'ken auth login',
  known: 'built in',
  isNative: true,
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  grants: ['authorization_code', 'refresh_token', DEVICE_GRANT],
}

const MOST_REDIRECTS = 10
const LONGEST_NAME = 60
const GIVEN_TO_ANYBODY: readonly GrantType[] = ['authorization_code', 'refresh_token']

const METADATA = z.object({
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
  grant_types: z.array(z.string()).max(20).default(['authorization_code']),
  response_types: z.array(z.string()).max(20).default(['code']),
  token_endpoint_auth_method: z.string().optional(),
  application_type: z.enum(['native', 'web']).optional(),
})
const DOCUMENT = METADATA.extend({
  client_id: z.string(),
  client_name: z.string().max(1_000),
  // Some clients name every port and build that they have.
  redirect_uris: z.array(z.string()).min(1).max(50),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
})

/** The data that a client registers (RFC 7591). Every address must be a valid redirect target for Ken. */
export function readRegistration(body: unknown, id: string): OAuthClient {
  const read = METADATA.safeParse(body)
  if (!read.success)
    throw read.error.issues.some(({ path }) => path[0] === 'redirect_uris')
      ? refusal('invalid_redirect_uri', 'redirect_uris must be a list of one to ten addresses.')
      : refusal('invalid_client_metadata', `The metadata cannot be read: ${read.error.issues[0]!.path.join('.')}.`)
  if ((read.data.token_endpoint_auth_method ?? 'none') !== 'none')
    throw refusal('invalid_client_metadata', 'Only public clients can register: token_endpoint_auth_method is none.')
  if (!read.data.redirect_uris.every((uri) => redirectKind(uri) !== undefined))
    throw refusal(
      'invalid_redirect_uri',
      'A redirect URI must be https, http on the loopback address, or a scheme such as com.example.app.',
    )
  return clientOf(read.data, { id, known: 'registered' })
}

/** The contents of a client id document. Leaves out addresses that are not valid redirect targets for Ken. */
export function readClientDocument(text: string, id: string): OAuthClient {
  const read = DOCUMENT.safeParse(jsonOf(text))
  if (!read.success) throw refusal('invalid_client', 'The client metadata document cannot be read.')
  if (read.data.client_id !== id)
    throw refusal('invalid_client', 'The client metadata document is not about the address it stands at.')
  if ((read.data.token_endpoint_auth_method ?? 'none') !== 'none')
    throw refusal('invalid_client', 'The client metadata document is not that of a public client.')
  const usable = read.data.redirect_uris.filter((uri) => redirectKind(uri) !== undefined)
  return clientOf({ ...read.data, redirect_uris: usable }, { id, known: 'by document' })
}

function clientOf(
  said: Omit<z.infer<typeof METADATA>, 'token_endpoint_auth_method'>,
  { id, known }: Pick<OAuthClient, 'id' | 'known'>,
): OAuthClient {
  const fault = known === 'registered' ? 'invalid_client_metadata' : 'invalid_client'
  const grants = GIVEN_TO_ANYBODY.filter((grant) => said.grant_types.includes(grant))
  if (!grants.includes('authorization_code') || !said.response_types.includes('code'))
    throw refusal(fault, 'A client must use the grant type authorization_code and the response type code.')
  const kinds = said.redirect_uris.map((uri) => redirectKind(uri))
  const isNative =
    said.application_type === undefined ? kinds.some((kind) => kind !== 'web') : said.application_type === 'native'
  if (!isNative && kinds.some((kind) => kind !== 'web'))
    throw refusal(
      known === 'registered' ? 'invalid_redirect_uri' : fault,
      'A web application cannot be sent to the loopback address or to an app.',
    )
  if (kinds.length === 0) throw refusal(fault, 'No redirect URI of the client can be used.')
  return { id, known, isNative, redirectUris: said.redirect_uris, grants, name: cleanName(said.client_name) }
}

/** One line without hidden characters, short enough for a sentence. */
function cleanName(given = ''): string {
  const name = visibleLine(withoutHidden(given))
  if (name === '') return 'A client without a name'
  return [...name].length > LONGEST_NAME ? `${[...name].slice(0, LONGEST_NAME - 1).join('')}…` : name
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
