import { ACCESS_LIVES, REFRESH_LIVES } from '../../../team/domain/oauth/lifetimes.ts'
import { DEVICE_GRANT } from '../../../team/domain/oauth/oauth-client.ts'
import { refusal, type OAuthParameters } from '../../../team/domain/oauth/oauth-refusal.ts'
import { answersChallenge } from '../../../team/domain/oauth/pkce.ts'
import { checkResource, type TokenAudience } from '../../../team/domain/oauth/resource.ts'
import { readScopes, type Scope, type Grant } from '../../../team/domain/oauth/scopes.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import { UNKEPT } from './answers.ts'
import type { OAuthOptions } from './oauth-options.ts'
import { readForm } from './read-form.ts'
import { newSecret } from './secrets.ts'

type Desk = OAuthOptions & { readonly audience: TokenAudience }

/** Issues tokens for a code, for a refresh token, or to a device that a person approved. */
export async function answerTokenRequest(request: Request, desk: Desk): Promise<Response> {
  const asked = await readForm(request)
  const client = publicClient(request, asked)
  const how = Object.hasOwn(BY_GRANT, asked.one('grant_type') ?? '') ? BY_GRANT[asked.one('grant_type')!] : undefined
  if (asked.one('grant_type') === undefined) throw refusal('invalid_request', 'The parameter grant_type is missing.')
  if (how === undefined) throw refusal('unsupported_grant_type', 'The grant type is not supported.')
  checkResource(asked.all('resource'), desk.audience)
  return how(asked, client, desk)
}

/** The id of a client, which must not send a secret: one that does is configured for another server. */
export function publicClient(request: Request, asked: OAuthParameters): string {
  if (
    request.headers.get('authorization') !== null ||
    asked.one('client_secret') !== undefined ||
    asked.one('client_assertion') !== undefined
  )
    throw refusal('invalid_client', 'Clients have no secret here: send client_id alone.')
  return needed(asked, 'client_id')
}

type Give = (asked: OAuthParameters, client: string, desk: Desk) => Promise<Response>

const BY_GRANT: Readonly<Record<string, Give>> = {
  authorization_code: forCode,
  refresh_token: forRefresh,
  [DEVICE_GRANT]: forDevice,
}

/** Any attempt uses up the code, whether right or wrong: a wrong client can only have a leaked code. */
async function forCode(asked: OAuthParameters, client: string, desk: Desk): Promise<Response> {
  const [code, verifier] = [needed(asked, 'code'), needed(asked, 'code_verifier')]
  const taken = await desk.store.authorizations.takeCode(hashOfSecret(code), desk.clock.now())
  if (taken === undefined) throw notGood()
  const redirect = asked.one('redirect_uri')
  const isRight =
    taken.grant.client === client &&
    (redirect === undefined || redirect === taken.code.redirectUri) &&
    answersChallenge(verifier, taken.code.challenge)
  if (!isRight) {
    await desk.store.authorizations.revoke({ grant: taken.grant.id, person: taken.grant.person })
    throw notGood()
  }
  return giveTokens(taken.grant, desk)
}

async function forRefresh(asked: OAuthParameters, client: string, desk: Desk): Promise<Response> {
  const hash = hashOfSecret(needed(asked, 'refresh_token'))
  const scope = asked.one('scope')
  const { tokens, secrets } = newTokens(desk, true)
  const rotated = await desk.store.authorizations.rotate(
    { hash, client, scopes: scope === undefined ? undefined : readScopes(scope), now: desk.clock.now() },
    tokens,
  )
  if (rotated === undefined) throw notGood()
  if (rotated === 'too wide') throw refusal('invalid_scope', 'The scope is wider than what was granted.')
  await checkActive(rotated.grant, desk)
  return answer(secrets, rotated.scopes)
}

async function forDevice(asked: OAuthParameters, client: string, desk: Desk): Promise<Response> {
  const polled = await desk.store.devices.poll(hashOfSecret(needed(asked, 'device_code')), client, desk.clock.now())
  if (typeof polled === 'object') return giveTokens(polled, desk)
  throw {
    unknown: notGood(),
    expired: refusal('expired_token', 'The device code has expired.'),
    pending: refusal('authorization_pending', 'The user has not answered yet.'),
    'slow down': refusal('slow_down', 'Poll less often.'),
    denied: refusal('access_denied', 'The user denied the request.'),
  }[polled]
}

async function giveTokens(grant: Grant, desk: Desk): Promise<Response> {
  await checkActive(grant, desk)
  const { tokens, secrets } = newTokens(desk, grant.isLasting)
  const isKept = await desk.store.authorizations.issue(
    grant.id,
    { ...tokens, access: { ...tokens.access, scopes: grant.scopes } },
    desk.clock.now(),
  )
  // The same code was used in between.
  if (!isKept) throw notGood()
  return answer(secrets, grant.scopes)
}

async function checkActive({ id, person }: Grant, desk: Desk): Promise<void> {
  if (await desk.isActive(person)) return
  await desk.store.authorizations.revoke({ grant: id, person })
  throw notGood()
}

interface Secrets {
  readonly access: string
  readonly refresh: string | undefined
}

function newTokens({ clock }: Pick<OAuthOptions, 'clock'>, isLasting: boolean) {
  const now = clock.now().getTime()
  const secrets: Secrets = {
    access: newSecret('ken_access'),
    refresh: isLasting ? newSecret('ken_refresh') : undefined,
  }
  return {
    secrets,
    tokens: {
      access: { hash: hashOfSecret(secrets.access), expiresAt: new Date(now + ACCESS_LIVES) },
      refresh:
        secrets.refresh === undefined
          ? undefined
          : { hash: hashOfSecret(secrets.refresh), expiresAt: new Date(now + REFRESH_LIVES) },
    },
  }
}

const answer = ({ access, refresh }: Secrets, scopes: readonly Scope[]): Response =>
  Response.json(
    {
      access_token: access,
      token_type: 'Bearer',
      expires_in: ACCESS_LIVES / 1_000,
      ...(refresh !== undefined && { refresh_token: refresh }),
      scope: scopes.join(' '),
    },
    { headers: UNKEPT },
  )

function needed(asked: OAuthParameters, name: string): string {
  const value = asked.one(name)
  if (value === undefined) throw refusal('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** One sentence for every cause, so that an attacker cannot tell which part of a stolen secret was right. */
const notGood = () => refusal('invalid_grant', 'The grant is invalid, expired or belongs to another client.')
