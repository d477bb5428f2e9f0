import { randomBytes } from 'node:crypto'
import { POLL_INTERVAL, readUserCode, showUserCode, userCodeOf } from '../../../team/domain/oauth/device-code.ts'
import { DEVICE_LIVES } from '../../../team/domain/oauth/lifetimes.ts'
import { COMMAND_LINE, DEVICE_GRANT } from '../../../team/domain/oauth/oauth-client.ts'
import { refusal } from '../../../team/domain/oauth/oauth-refusal.ts'
import { checkResource, type TokenAudience } from '../../../team/domain/oauth/resource.ts'
import { readScopes } from '../../../team/domain/oauth/scopes.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import { UNKEPT } from './answers.ts'
import { keepWithin } from './keep-within.ts'
import type { OAuthOptions } from './oauth-options.ts'
import { readForm } from './read-form.ts'
import { newSecret } from './secrets.ts'
import { publicClient } from './token.ts'

const FROM_ONE_ADDRESS = { most: 30, minutes: 10 }
const FROM_ALL = { most: 1_000, minutes: 10 }
const TRIES = 5

/** RFC 8628, 3.1: issues a device code, and a short user code to show to a person. */
export async function beginDeviceLogin(
  request: Request,
  options: OAuthOptions & { readonly audience: TokenAudience },
): Promise<Response> {
  await keepWithin(options, `device ${options.addressOf(request)}`, FROM_ONE_ADDRESS)
  const asked = await readForm(request)
  const client = publicClient(request, asked) === COMMAND_LINE.id ? COMMAND_LINE : undefined
  if (client === undefined || !client.grants.includes(DEVICE_GRANT))
    throw refusal('unauthorized_client', 'The client may not use the device flow.')
  checkResource(asked.all('resource'), options.audience)
  const scopes = readScopes(asked.one('scope'))
  await keepWithin(options, 'device', FROM_ALL)
  const now = options.clock.now()
  const device = newSecret('ken_device')
  const login = {
    deviceHash: hashOfSecret(device),
    client: client.id,
    clientName: client.name,
    resource: options.audience.resource,
    scopes,
    expiresAt: new Date(now.getTime() + DEVICE_LIVES),
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const user = userCodeOf(randomBytes(32))
    if (user === undefined) continue
    if (
      !(await options.store.devices.begin({ ...login, userHash: userHashOf(user) }, { interval: POLL_INTERVAL, now }))
    )
      continue
    return Response.json(
      {
        device_code: device,
        user_code: showUserCode(user),
        verification_uri: `${options.audience.issuer}/device`,
        expires_in: DEVICE_LIVES / 1_000,
        interval: POLL_INTERVAL,
      },
      { headers: UNKEPT },
    )
  }
  throw refusal('temporarily_unavailable', 'No code available.')
}

export const userHashOf = (code: string): string => hashOfSecret(`user code ${readUserCode(code) ?? ''}`)
