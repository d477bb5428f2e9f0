import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { AppError, ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { readRegistration } from '../../../team/domain/oauth/oauth-client.ts'
import { OAUTH_ERRORS, refusedWith, refusal } from '../../../team/domain/oauth/oauth-refusal.ts'
import { audienceOf } from '../../../team/domain/oauth/resource.ts'
import { hashOfSecret } from '../../../team/domain/token.ts'
import { plainPage, saying } from '../plain-page.ts'
import { answerRefusal, UNKEPT } from './answers.ts'
import { askPerson, takeAnswer } from './authorize.ts'
import { showDevicePage, takeDeviceForm } from './device-page.ts'
import { beginDeviceLogin } from './device.ts'
import { keepWithin } from './keep-within.ts'
import { openKnownClients } from './known-clients.ts'
import { RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from './metadata.ts'
import type { OAuthOptions } from './oauth-options.ts'
import { readForm, readJson } from './read-form.ts'
import { answerTokenRequest, publicClient } from './token.ts'

/** The OAuth 2.1 authorization server of the team server, for this server's `/mcp` and nothing else. */
export function buildOAuthApp(options: OAuthOptions): Hono {
  const audience = audienceOf(options.publicUrl)
  const desk = { ...options, audience, known: openKnownClients(options) }
  const app = new Hono()
  const describes = (metadata: Record<string, unknown>) => () =>
    Response.json(metadata, { headers: { 'cache-control': 'max-age=300', 'access-control-allow-origin': '*' } })
  app.get(RESOURCE_METADATA, describes(resourceMetadata(audience)))
  app.get(`${RESOURCE_METADATA}/mcp`, describes(resourceMetadata(audience)))
  app.get(
    SERVER_METADATA,
    describes(
      serverMetadata(audience, {
        allowsRegistration: options.allowsRegistration,
        readsDocuments: options.documents !== undefined,
      }),
    ),
  )
  const forPeople =
    (answer: (request: Request) => Promise<Response>) => (c: { readonly req: { readonly raw: Request } }) =>
      answer(c.req.raw).catch((thrown: unknown) => {
        options.trace?.(thrown)
        return faultPage(thrown)
      })
  const forPrograms =
    (answer: (request: Request) => Promise<Response>) => (c: { readonly req: { readonly raw: Request } }) =>
      answer(c.req.raw).catch((thrown: unknown) => {
        options.trace?.(thrown)
        return answerRefusal(thrown)
      })
  /** A code or token that is used again, or by another client, ends a grant: administrators should see that. */
  const auditAttempt = (request: Request, answer: () => Promise<Response>): Promise<Response> =>
    answer().catch(async (thrown: unknown) => {
      if (refusedWith(thrown) === 'invalid_grant')
        await options.told?.({
          operation: 'grant_use',
          who: {},
          outcome: 'forbidden',
          source: options.addressOf(request),
        })
      throw thrown
    })
  app.get(
    '/oauth/authorize',
    forPeople((request) => askPerson(request, desk)),
  )
  app.post(
    '/oauth/authorize',
    forPeople((request) => takeAnswer(request, desk)),
  )
  app.get(
    '/device',
    forPeople((request) => showDevicePage(request, options)),
  )
  app.post(
    '/device',
    forPeople((request) => takeDeviceForm(request, options)),
  )
  app.post(
    '/oauth/token',
    forPrograms((request) => auditAttempt(request, () => answerTokenRequest(request, desk))),
  )
  app.post(
    '/oauth/device',
    forPrograms((request) => beginDeviceLogin(request, desk)),
  )
  app.post(
    '/oauth/revoke',
    forPrograms((request) => revokeToken(request, options)),
  )
  if (options.allowsRegistration)
    app.post(
      '/oauth/register',
      forPrograms((request) => registerClient(request, options)),
    )
  return app
}

/** RFC 7009: succeeds for an unknown token too. */
async function revokeToken(request: Request, { store, told, addressOf }: OAuthOptions): Promise<Response> {
  const asked = await readForm(request)
  const client = publicClient(request, asked)
  const token = asked.one('token')
  const ended = token === undefined ? [] : await store.authorizations.revoke({ token: hashOfSecret(token), client })
  for (const { id, person, clientName } of ended)
    await told?.({
      operation: 'grant_end',
      who: { person },
      subject: id,
      client: clientName,
      source: addressOf(request),
    })
  return new Response(null, { status: 200, headers: UNKEPT })
}

/** The error, shown only to the person. */
function faultPage(thrown: unknown): Response {
  const refused = refusedWith(thrown)
  const known = thrown instanceof AppError ? thrown : undefined
  const status =
    refused === undefined ? (known === undefined ? 500 : ERROR_TABLE[known.code].http) : OAUTH_ERRORS[refused]
  return plainPage({
    status: status === 401 ? 400 : status,
    title: 'Login failed',
    body: saying(known?.line ?? 'Something went wrong on the server.'),
  })
}

const FROM_ONE_ADDRESS = { most: 20, minutes: 60 }
const FROM_ALL = { most: 300, minutes: 60 }
const MOST_CLIENTS = 5_000

/** RFC 7591, for clients without a document: public clients only, a bounded number, each still untrusted. */
async function registerClient(request: Request, options: OAuthOptions): Promise<Response> {
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
