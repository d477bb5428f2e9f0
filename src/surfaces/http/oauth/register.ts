import { randomBytes } from 'node:crypto'
import { readRegistration } from '../../../team/domain/oauth/oauth-client.ts'
import { refusal } from '../../../team/domain/oauth/oauth-refusal.ts'
import { UNKEPT } from './answers.ts'
import { keepWithin } from './keep-within.ts'
import type { OAuthOptions } from './oauth-options.ts'
import { readJson } from './read-form.ts'

const FROM_ONE_ADDRESS = { most: 20, minutes: 60 }
const FROM_ALL = { most: 300, minutes: 60 }
const MOST_CLIENTS = 5_000

/** RFC 7591, for clients without a document: public ones, a bounded number, each still untrusted. */
export async function registerClient(request: Request, options: OAuthOptions): Promise<Response> {
  await keepWithin(options, `register ${options.addressOf(request)}`, FROM_ONE_ADDRESS)
  const id = `ken_client_${randomBytes(16).toString('base64url')}`
  const client = readRegistration(await readJson(request), id)
  await keepWithin(options, 'register', FROM_ALL)
  const now = options.clock.now()
  if (!(await options.store.clients.add(client, { most: MOST_CLIENTS, now })))
    throw refusal('temporarily_unavailable', 'Too many clients are registered. Try again tomorrow.')
  return Response.json(
    {
      client_id: id,
      client_id_issued_at: Math.floor(now.getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: client.grants,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: client.isNative ? 'native' : 'web',
    },
    { status: 201, headers: UNKEPT },
  )
}
