import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hidden,
  landed,
  openOAuthDesk,
  pkce,
  REDIRECT,
  request,
  type OAuthDesk,
  type Tokens,
} from './oauth/oauth-desk.ts'

let desk: OAuthDesk
beforeAll(async () => {
  desk = await openOAuthDesk()
})
afterAll(() => desk.close())

describe('discovery by a client', () => {
  test('a call without a token gets the address of the metadata, and the metadata leads to the server', async () => {
    const refused = await desk.send('/mcp', { method: 'POST' })
    expect(refused.status).toBe(401)
    const at = `${desk.issuer}/.well-known/oauth-protected-resource/mcp`
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="read write", resource_metadata="${at}"`)
    for (const address of [at, `${desk.issuer}/.well-known/oauth-protected-resource`])
      expect(await (await fetch(address)).json()).toEqual({
        resource: `${desk.issuer}/mcp`,
        authorization_servers: [desk.issuer],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Ken',
      })
    const server = await (await desk.send('/.well-known/oauth-authorization-server')).json()
    expect(server).toMatchObject({
      issuer: desk.issuer,
      authorization_endpoint: `${desk.issuer}/oauth/authorize`,
      token_endpoint: `${desk.issuer}/oauth/token`,
      registration_endpoint: `${desk.issuer}/oauth/register`,
      device_authorization_endpoint: `${desk.issuer}/oauth/device`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: false,
    })
  })
})

describe('a login by code', () => {
  test('a person is asked in plain words, and the token is valid for what they chose', async () => {
    const client = await desk.registered({ client_name: '<script>alert(1)</script> Agent\u202E' })
    const { verifier, challenge } = pkce()
    const page = await desk.ask(
      Object.entries({ ...request(client, challenge), resource: desk.resource, scope: 'read write' }),
    )
    expect(page.status).toBe(200)
    const html = await page.clone().text()
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Agent</strong>')
    expect(html).toContain('Ada &lt;b&gt;Example&lt;/b&gt;')
    expect(html).toContain(`<code>${REDIRECT}</code>`)
    expect(html).toContain('Any program on this machine can listen on that address')
    expect(html).toContain('It registered itself. The name is not verified.')
    for (const said of ['Shop', 'Warehouse', 'Read decisions', 'Record decisions']) expect(html).toContain(said)
    expect(html).not.toMatch(/<script|javascript:|onload/i)
    // With two projects, none is granted unless chosen.
    expect(html).not.toMatch(/name="project"[^>]*checked/)

    const answer = await desk.post(
      '/oauth/authorize',
      [
        ['request', hidden(html, 'request')],
        ['seal', hidden(html, 'seal')],
        ['decision', 'allow'],
        ['scope', 'read'],
        ['project', 'P2'],
      ],
      { cookie: 'session=one', origin: desk.issuer, 'sec-fetch-site': 'same-origin' },
    )
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?code=/)
    expect(landed(answer).get('state')).toBe('a state & more')
    expect(landed(answer).get('iss')).toBe(desk.issuer)

    const code = landed(answer).get('code')!
    const given = await desk.redeem(client, { code, verifier }, { resource: desk.resource })
    expect([given.status, given.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const tokens = (await given.json()) as Tokens
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' })
    expect(Buffer.from(tokens.access_token.split('_').slice(2).join('_'), 'base64url')).toHaveLength(32)
    const used = await desk.use(tokens.access_token)
    expect(await used.json()).toMatchObject({ person: 'person-1', client, scopes: ['read'], projects: ['P2'] })
    const more = await desk.use(tokens.access_token, '/mcp?writes')
    expect(more.status).toBe(403)
    expect(more.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="write"')
  })

  test('a person who is not signed in signs in first and returns to the same request', async () => {
    const asked = new URLSearchParams(request(await desk.registered()))
    const answer = await desk.ask([...asked], 'session=none')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/sign-in?to=${encodeURIComponent(`/oauth/authorize?${asked}`)}`,
    ])
  })

  test('a denial is sent to the client, together with the name of the server', async () => {
    const page = await desk.ask(Object.entries(request(await desk.registered())))
    const html = await page.text()
    const answer = await desk.post(
      '/oauth/authorize',
      ['request', 'seal'].map((name) => [name, hidden(html, name)]),
      { cookie: 'session=one' },
    )
    expect(Object.fromEntries(landed(answer))).toMatchObject({
      error: 'access_denied',
      iss: desk.issuer,
      state: 'a state & more',
    })
  })

  test('a person without a project has nothing to grant', async () => {
    const page = await desk.ask(Object.entries(request(await desk.registered())), 'session=nothing')
    expect(page.status).toBe(403)
  })

  test('a client that never asked for refresh tokens gets none', async () => {
    const client = await desk.registered({ grant_types: ['authorization_code'] })
    const tokens = await (await desk.redeem(client, await desk.codeFor(client))).json()
    expect(tokens).not.toHaveProperty('refresh_token')
  })

  test('a refresh token yields new tokens, optionally with fewer scopes, and the old access token simply expires', async () => {
    const { client, tokens } = await desk.loggedIn()
    const next = (await (await desk.refresh(client, tokens.refresh_token, { scope: 'read' })).json()) as Tokens
    expect(next).toMatchObject({ scope: 'read', expires_in: 3600 })
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await desk.use(next.access_token)).status).toBe(200)
    desk.moved.by += 3_600_000
    const late = await desk.use(next.access_token)
    expect([late.status, late.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
    expect((await desk.refresh(client, next.refresh_token)).status).toBe(200)
  })

  test('revoking either token revokes both, and always succeeds', async () => {
    const { client, tokens } = await desk.loggedIn()
    const revoke = (token: string, by: string) =>
      desk.post('/oauth/revoke', [
        ['token', token],
        ['client_id', by],
      ])
    expect((await revoke(tokens.refresh_token, await desk.registered())).status).toBe(200)
    expect((await desk.use(tokens.access_token)).status).toBe(200)
    expect((await revoke(tokens.refresh_token, client)).status).toBe(200)
    expect((await desk.use(tokens.access_token)).status).toBe(401)
    expect((await revoke('no token', client)).status).toBe(200)
  })

  test('a person who left the team has no valid tokens', async () => {
    const { client, tokens } = await desk.loggedIn()
    desk.gone.add('person-1')
    expect((await desk.use(tokens.access_token)).status).toBe(401)
    expect(await (await desk.refresh(client, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
    desk.gone.clear()
    expect((await desk.use(tokens.access_token)).status).toBe(401)
  })
})

describe('registration', () => {
  test('returns the accepted metadata, with a clean name and no secret', async () => {
    const answer = await desk.register({
      client_name: `  Claude\u0000 Code\n${'x'.repeat(100)}`,
      scope: 'admin',
      client_secret: 'x',
    })
    expect(answer.status).toBe(201)
    const told = (await answer.json()) as { client_name: string }
    expect(told).toMatchObject({
      client_id: expect.stringMatching(/^ken_client_[\w-]{22}$/),
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    })
    expect(told.client_name).toMatch(/^Claude Code x+…$/)
    expect(told.client_name).toHaveLength(60)
    expect(told).not.toHaveProperty('client_secret')
  })

  test.each([
    [{ token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ grant_types: ['implicit'], response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, i) => `http://127.0.0.1/${i}`) }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://example.com/callback'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://127.0.0.1/callback', 'javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['vscode://x/callback'] }, 'invalid_redirect_uri'],
    [{ application_type: 'web' }, 'invalid_redirect_uri'],
  ])('%j is refused with %s', async (more, error) => {
    const answer = await desk.register(more, { 'x-test-address': JSON.stringify(more) })
    expect([answer.status, await answer.json()]).toEqual([400, { error, error_description: expect.any(String) }])
  })

  test('one address registers at most twenty in an hour', async () => {
    const headers = { 'x-test-address': 'a busy one' }
    for (let i = 0; i < 20; i++) expect((await desk.register({}, headers)).status).toBe(201)
    const refused = await desk.register({}, headers)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
    desk.moved.by += 3_600_000
    expect((await desk.register({}, headers)).status).toBe(201)
  })
})

describe('a login from a machine without a browser', () => {
  const begin = async (more: Record<string, string> = {}) =>
    desk.post('/oauth/device', Object.entries({ client_id: 'ken-cli', ...more }))
  const poll = (device: string, client = 'ken-cli') =>
    desk.trade({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device, client_id: client })
  const type = async (code: string, cookie = 'session=one') => {
    const seal = hidden(await (await desk.send('/device', { headers: { cookie } })).text(), 'seal')
    return desk.post(
      '/device',
      [
        ['seal', seal],
        ['user_code', code],
      ],
      { cookie },
    )
  }
  interface Begun {
    readonly device_code: string
    readonly user_code: string
  }

  test('the person types the code, confirms, and the device is authorised once', async () => {
    const begun = (await (await begin({ scope: 'read' })).json()) as Begun
    expect(begun).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${desk.issuer}/device`,
      expires_in: 600,
      interval: 5,
    })
    expect(await (await poll(begun.device_code)).json()).toMatchObject({ error: 'authorization_pending' })
    expect(await (await poll(begun.device_code)).json()).toMatchObject({ error: 'slow_down' })
    const asked = await (await type(begun.user_code.toLowerCase().replace('-', ' '))).text()
    expect(asked).toContain('ken auth login')
    expect(asked).toContain(`<strong>${begun.user_code}</strong>`)
    expect(asked).not.toContain('value="write"')
    const answered = await desk.post(
      '/device',
      [
        ['seal', hidden(asked, 'seal')],
        ['user_code', hidden(asked, 'user_code')],
        ['decision', 'allow'],
        ['scope', 'read'],
        ['scope', 'write'],
        ['project', 'P1'],
      ],
      { cookie: 'session=one' },
    )
    expect(answered.status).toBe(200)
    desk.moved.by += 10_000
    const tokens = (await (await poll(begun.device_code)).json()) as Tokens & { scope: string }
    expect(tokens.scope).toBe('read')
    expect(await (await desk.use(tokens.access_token)).json()).toMatchObject({ client: 'ken-cli', projects: ['P1'] })
    expect((await desk.refresh('ken-cli', tokens.refresh_token)).status).toBe(200)
    desk.moved.by += 10_000
    expect(await (await poll(begun.device_code)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('a denial is reported to the device, and so is a timeout', async () => {
    const begun = (await (await begin()).json()) as Begun
    const asked = await (await type(begun.user_code)).text()
    const form = ['seal', 'user_code'].map((name) => [name, hidden(asked, name)] as const)
    await desk.post('/device', [...form, ['decision', 'deny']], { cookie: 'session=one' })
    expect(await (await poll(begun.device_code)).json()).toMatchObject({ error: 'access_denied' })
    const late = (await (await begin()).json()) as Begun
    desk.moved.by += 600_000
    expect(await (await poll(late.device_code)).json()).toMatchObject({ error: 'expired_token' })
    expect((await type(late.user_code)).status).toBe(400)
  })

  test('is refused to clients other than the command line', async () => {
    const client = await desk.registered({
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
    expect(await (await begin({ client_id: client })).json()).toMatchObject({ error: 'unauthorized_client' })
    const begun = (await (await begin()).json()) as Begun
    expect(await (await poll(begun.device_code, client)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('a person who guesses codes is stopped after ten, even if the next one is right', async () => {
    desk.moved.by += 600_000
    const begun = (await (await begin()).json()) as Begun
    for (let i = 0; i < 10; i++) expect((await type(`BCDF-GHJ${'KLMNPQRSTV'[i]}`)).status).toBe(400)
    expect((await type(begun.user_code)).status).toBe(429)
    // Another person is not affected.
    expect((await type(begun.user_code, 'session=two')).status).toBe(200)
  })

  test('an answer is valid only from the page that requested it, and only for the person’s projects', async () => {
    desk.moved.by += 600_000
    const begun = (await (await begin()).json()) as Begun
    const asked = await (await type(begun.user_code)).text()
    const answer = (fields: Record<string, string>, cookie = 'session=one') =>
      desk.post(
        '/device',
        Object.entries({
          seal: hidden(asked, 'seal'),
          user_code: hidden(asked, 'user_code'),
          decision: 'allow',
          scope: 'read',
          project: 'P1',
          ...fields,
        }),
        { cookie },
      )
    expect((await answer({ seal: 'x' })).status).toBe(403)
    expect((await answer({ user_code: 'BCDFGHJK' })).status).toBe(403)
    expect((await answer({}, 'session=two')).status).toBe(403)
    expect((await answer({ project: 'P3' })).status).toBe(403)
    expect(await (await poll(begun.device_code)).json()).toMatchObject({ error: 'authorization_pending' })
  })
})

test('the MCP SDK client registers, logs in, refreshes, and checks the issuer of answers', async () => {
  const kept: { client?: unknown; tokens?: Tokens; verifier?: string; sentTo?: URL; found?: unknown } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'The SDK',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 's',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens as Tokens),
    redirectToAuthorization: (address) => void (kept.sentTo = address),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (found) => void (kept.found = found),
    discoveryState: () => kept.found as never,
  }
  const serverUrl = desk.resource
  expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
  expect(kept.sentTo!.searchParams.get('resource')).toBe(desk.resource)
  const answer = await desk.allow(await desk.ask([...kept.sentTo!.searchParams]))
  const [authorizationCode, iss] = [landed(answer).get('code')!, landed(answer).get('iss')!]
  await expect(auth(provider, { serverUrl, authorizationCode, iss: 'https://evil.example' })).rejects.toThrow(/issuer/i)
  expect(await auth(provider, { serverUrl, authorizationCode, iss })).toBe('AUTHORIZED')
  const first = kept.tokens!
  expect((await desk.use(first.access_token)).status).toBe(200)
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
  expect(kept.tokens!.access_token).not.toBe(first.access_token)
  expect((await desk.use(kept.tokens!.access_token)).status).toBe(200)
})

test('grants, denials, revocations and invalid tokens are recorded in the audit log', async () => {
  desk.audited.length = 0
  const { client, tokens } = await desk.loggedIn()
  const page = await (await desk.ask(Object.entries(request(client)))).text()
  await desk.post(
    '/oauth/authorize',
    [
      ['request', hidden(page, 'request')],
      ['seal', hidden(page, 'seal')],
      ['decision', 'deny'],
    ],
    { cookie: 'session=one' },
  )
  expect((await desk.refresh(client, 'ken_refresh_of_nobody')).status).toBe(400)
  await desk.post('/oauth/revoke', [
    ['token', tokens.refresh_token],
    ['client_id', client],
  ])
  const ada = { person: 'person-1' }
  const named = { client: 'A client', who: ada }
  const [given, denied, shown, ended] = desk.audited
  expect(given).toMatchObject({ operation: 'grant_give', subject: expect.any(String), ...named })
  expect(denied).toMatchObject({ operation: 'grant_deny', ...named })
  expect(shown).toEqual({ operation: 'grant_use', who: {}, outcome: 'forbidden' })
  expect(ended).toMatchObject({ operation: 'grant_end', subject: given!.subject, ...named })
  expect(desk.audited).toHaveLength(4)
  expect(JSON.stringify(desk.audited)).not.toContain('ken_')
})
