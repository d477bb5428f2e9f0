import { AppError } from '../../../kernel/domain/errors.ts'
import { pageText } from '../../../kernel/domain/lone-page.ts'
import {
  readAuthorizationRequest,
  readRedirect,
  type AuthorizationRequest,
} from '../../../team/domain/oauth/authorization-request.ts'
import { CODE_LIVES } from '../../../team/domain/oauth/lifetimes.ts'
import type { OAuthClient } from '../../../team/domain/oauth/oauth-client.ts'
import { refusal, refusedWith, readParameters } from '../../../team/domain/oauth/oauth-refusal.ts'
import { redirectHost, redirectKind } from '../../../team/domain/oauth/redirect-uri.ts'
import type { TokenAudience } from '../../../team/domain/oauth/resource.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import { readPageForm } from '../page-form.ts'
import { plainPage, saying, sendTo } from '../plain-page.ts'
import { grantChosen } from './chosen.ts'
import { consentPage } from './consent-page.ts'
import type { KnownClients } from './known-clients.ts'
import type { OAuthOptions, SignedInPerson } from './oauth-options.ts'
import { newSecret, sealOf, checkSeal } from './secrets.ts'

type Desk = OAuthOptions & { readonly audience: TokenAudience; readonly known: KnownClients }

const CONSENT = 'consent'

/**
 * Shows which client requests which access. No redirect before the person has signed in and the client's address is
 * verified.
 */
export async function askPerson(request: Request, desk: Desk): Promise<Response> {
  const { search } = new URL(request.url)
  const person = await desk.personOf(request)
  if (person === undefined) return sendTo(desk.signInAt(`/oauth/authorize${search}`))
  const asked = await understand(search.slice(1), person, desk)
  if ('fault' in asked) return tellClient(asked, desk)
  if (person.projects.length === 0)
    return plainPage({
      status: 403,
      title: 'No projects to share',
      body: saying('You are not a member of any project yet.'),
    })
  const query = search.slice(1)
  return consentPage({
    person,
    client: asked.client,
    redirectUri: asked.redirectUri,
    scopes: asked.request.scopes,
    request: query,
    seal: sealOf(person.sessionSecret, CONSENT, query),
  })
}

/** Handles the person's answer and checks the whole request again: the page proves only that it was shown. */
export async function takeAnswer(request: Request, desk: Desk): Promise<Response> {
  const person = await desk.personOf(request)
  if (person === undefined) throw new AppError('forbidden', 'Your session has ended. Sign in again.')
  const form = await readPageForm(request, desk)
  checkSeal(form, person, CONSENT, form.one('request'))
  const asked = await understand(form.one('request'), person, desk)
  if ('fault' in asked) return tellClient(asked, desk)
  const { client } = asked
  const told = (operation: string, subject?: string) =>
    desk.told?.({
      operation,
      who: { person: person.id },
      held: person.session,
      ...(subject !== undefined && { subject }),
      client: client.name,
      source: desk.addressOf(request),
    })
  if (form.one('decision') !== 'allow') {
    await told('grant_deny')
    return sendTo(
      answerAddress(asked, desk.audience, { error: 'access_denied', error_description: 'The person said no.' }),
    )
  }
  const grant = grantChosen(form, {
    person,
    clock: desk.clock,
    asked: {
      client: client.id,
      clientName: client.name,
      resource: desk.audience.resource,
      scopes: asked.request.scopes,
      isLasting: client.grants.includes('refresh_token'),
    },
  })
  const code = newSecret('ken_code')
  await desk.store.authorizations.offerCode(grant, {
    hash: hashOfSecret(code),
    challenge: asked.request.challenge,
    redirectUri: asked.redirectUri,
    expiresAt: new Date(grant.createdAt.getTime() + CODE_LIVES),
  })
  await told('grant_give', grant.id)
  return sendTo(answerAddress(asked, desk.audience, { code }))
}

interface Addressed {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | undefined
}

/** Errors thrown here are shown to the person; a `fault` may be sent to the client. */
async function understand(
  query: string,
  person: SignedInPerson,
  { audience, known }: Desk,
): Promise<Addressed & ({ readonly request: AuthorizationRequest } | { readonly fault: AppError })> {
  const parameters = readParameters(new URLSearchParams(query))
  const id = parameters.one('client_id')
  if (id === undefined) throw refusal('invalid_request', 'The parameter client_id is missing.')
  const client = await known.find(id, person.id)
  const addressed = { client, redirectUri: readRedirect(parameters, client), state: parameters.one('state') }
  try {
    return { ...addressed, request: readAuthorizationRequest(parameters, client, audience) }
  } catch (thrown) {
    if (refusedWith(thrown) === undefined) throw thrown
    return { ...addressed, fault: thrown as AppError }
  }
}

/**
 * Anyone can register an address and send people a link with a fault in it (RFC 9700, 4.11.2). So only a program on the
 * person's machine is informed at once; any other redirect needs the person's click.
 */
function tellClient(asked: Addressed & { readonly fault: AppError }, { audience }: Desk): Response {
  const address = answerAddress(asked, audience, {
    error: refusedWith(asked.fault)!,
    error_description: asked.fault.message,
  })
  if (redirectKind(asked.redirectUri) === 'loopback') return sendTo(address)
  return plainPage({
    status: 400,
    title: 'Invalid login request',
    body: `${saying(asked.fault.message)}<p><a href="${pageText(address)}" rel="noreferrer">Go back to ${pageText(redirectHost(asked.redirectUri))}</a></p>`,
  })
}

/** Includes the name of this server (RFC 9207), so that a client can verify which server answered. */
function answerAddress(
  { redirectUri, state }: Addressed,
  { issuer }: TokenAudience,
  answer: Readonly<Record<string, string>>,
): string {
  const said = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${said}`
}
