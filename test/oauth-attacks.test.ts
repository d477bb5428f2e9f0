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

const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error

describe('redirect targets', () => {
  test.each([
    // A completely different place, or one that only looks similar.
    'https://evil.example/callback',
    'http://127.0.0.1.evil.example:4711/callback',
    'http://localhost.evil.example/callback',
    'http://localhost:4711/callback',
    'http://[::1]:4711/callback',
    'http://127.0.0.2:4711/callback',
    'http://2130706433:4711/callback',
    'http://0177.0.0.1:4711/callback',
    'http://127.1:4711/callback',
    'http://0.0.0.0:4711/callback',
    'http://127.0.0.1.:4711/callback',
    'http://[::ffff:127.0.0.1]:4711/callback',
    'https://127.0.0.1:4711/callback',
    // The same place written so that two programs parse it differently.
    'http://evil@127.0.0.1:4711/callback',
    'http://127.0.0.1:4711@evil.example/callback',
    'http://127.0.0.1:4711:80/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1\\@evil.example/callback',
    'http:\\\\127.0.0.1/callback',
    'http:127.0.0.1/callback',
    'HTTP://127.0.0.1:4711/callback',
    'http://127.0.0.1:4711/Callback',
    'http://127.0.0.1:4711/callback/',
    'http://127.0.0.1:4711/callback/../other',
    'http://127.0.0.1:4711/other/../callback',
    'http://127.0.0.1:4711/other/%2e%2e/callback',
    'http://127.0.0.1:4711/callback%2f..%2fother',
    'http://127.0.0.1:4711/./callback',
    'http://127.0.0.1:4711//callback',
    'http://127.0.0.1:4711/callback?next=https://evil.example',
    'http://127.0.0.1:4711/callback#fragment',
    'http://127.0.0.1:4711/callback#',
    'http://127.0.0.1:4711/call*',
    'http://127.0.0.1:4711/callback%00',
    'http://127.0.0.1:4711/callback%0d%0aLocation:%20https://evil.example',
    'http://127.0.0.1:4711/callback\r\nx: y',
    ' http://127.0.0.1:4711/callback',
    'http://127.0.0.1:4711/callback ',
    'http://127.0.0.1:4711/cällback',
    'http://127。0。0。1:4711/callback',
    'javascript:alert(1)//http://127.0.0.1:4711/callback',
    'data:text/html,<script>alert(1)</script>',
    '//127.0.0.1:4711/callback',
    '/callback',
    '',
  ])('never include %j if the client registered http://127.0.0.1/callback', async (redirect) => {
    const client = await desk.registered()
    const page = await desk.ask(Object.entries({ ...request(client), redirect_uri: redirect }))
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    const html = await page.text()
    expect(html).toMatch(/not one that the client registered|does not say where the answer goes/)
    expect(html).not.toContain('evil.example')
  })

  test('include any port of the loopback address, and no other port anywhere else', async () => {
    const native = await desk.registered({
      redirect_uris: ['http://[::1]:80/cb?x=1', 'http://localhost/cb', 'com.example.app:/cb'],
    })
    for (const redirect of ['http://[::1]:9/cb?x=1', 'http://localhost:65535/cb', 'com.example.app:/cb']) {
      const page = await desk.ask(Object.entries({ ...request(native), redirect_uri: redirect }))
      expect([redirect, page.status]).toEqual([redirect, 200])
      const answer = await desk.allow(page)
      expect(answer.headers.get('location')).toMatch(/^.+[?&]code=ken_code_[\w-]{43}&state=[^&]+&iss=[^&]+$/)
      expect(answer.headers.get('location')!.startsWith(redirect)).toBe(true)
    }
    const web = await desk.registered({ redirect_uris: ['https://app.example.com/cb'] })
    const ask = (redirect: string) => desk.ask(Object.entries({ ...request(web), redirect_uri: redirect }))
    expect((await ask('https://app.example.com/cb')).status).toBe(200)
    for (const redirect of [
      'https://app.example.com:8443/cb',
      'https://app.example.com./cb',
      'https://APP.example.com/cb',
      'https://app.example.com.evil.example/cb',
      'https://app.example.com/cb/..',
      'http://127.0.0.1/cb',
    ])
      expect([redirect, (await ask(redirect)).status]).toEqual([redirect, 400])
  })

  test('an unknown client causes no redirect', async () => {
    for (const client of [
      'nobody',
      'https://127.0.0.1/client.json',
      'file:///etc/passwd',
      'constructor',
      '__proto__',
    ]) {
      const page = await desk.ask(Object.entries(request(client)))
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
    }
  })

  test('a faulty link redirects to no site: the server is not an open redirector', async () => {
    const evil = await desk.registered({ redirect_uris: ['https://evil.example/phish'] })
    const page = await desk.ask(
      Object.entries({ ...request(evil), redirect_uri: 'https://evil.example/phish', scope: 'everything' }),
    )
    expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([400, null, null])
    const html = await page.text()
    expect(html).toContain('Go back to evil.example')
    expect(html).not.toMatch(/http-equiv|<script/i)
  })

  test('errors for a local program use the words of the RFCs, each with the name of the server', async () => {
    const client = await desk.registered()
    const faults: readonly [Record<string, string>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: '' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ request: 'a.b.c' }, 'invalid_request'],
      [{ request_uri: 'https://evil.example/r' }, 'invalid_request'],
      [{ scope: 'read admin' }, 'invalid_scope'],
      [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ]
    for (const [more, error] of faults) {
      const answer = await desk.ask(Object.entries({ ...request(client), ...more }))
      expect(answer.status).toBe(303)
      expect([more, Object.fromEntries(landed(answer))]).toEqual([
        more,
        { error, error_description: expect.any(String), state: 'a state & more', iss: desk.issuer },
      ])
    }
  })
})

describe('PKCE', () => {
  test.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a challenge without a method, which would be plain', { code_challenge_method: '' }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['the method s256', { code_challenge_method: 's256' }],
    ['a challenge that is too short', { code_challenge: 'abc' }],
    ['a challenge that is no hash', { code_challenge: `${'a'.repeat(42)}=` }],
  ])('%s is refused', async (_what, more) => {
    const answer = await desk.ask(Object.entries({ ...request(await desk.registered()), ...more }))
    expect(landed(answer).get('error')).toBe('invalid_request')
  })

  test('a code is rejected without its verifier, with another verifier, or with the challenge itself', async () => {
    const client = await desk.registered()
    const { code } = await desk.codeFor(client)
    expect(await errorOf(await desk.redeem(client, { code, verifier: '' }))).toBe('invalid_request')
    expect(await errorOf(await desk.redeem(client, { code, verifier: pkce().verifier }))).toBe('invalid_grant')
    const { verifier, challenge } = pkce()
    const answer = await desk.allow(await desk.ask(Object.entries(request(client, challenge))))
    const second = landed(answer).get('code')!
    expect(await errorOf(await desk.redeem(client, { code: second, verifier: challenge }))).toBe('invalid_grant')
    // A later attempt with the right verifier fails as well.
    expect(await errorOf(await desk.redeem(client, { code: second, verifier }))).toBe('invalid_grant')
  })
})

describe('codes', () => {
  test('a code used twice returns no token, and revokes the tokens it issued', async () => {
    const { client, code, verifier, tokens } = await desk.loggedIn()
    expect((await desk.use(tokens.access_token)).status).toBe(200)
    expect(await errorOf(await desk.redeem(client, { code, verifier }))).toBe('invalid_grant')
    expect((await desk.use(tokens.access_token)).status).toBe(401)
    expect(await errorOf(await desk.refresh(client, tokens.refresh_token))).toBe('invalid_grant')
  })

  test('none of ten concurrent redemptions of a code keeps a token', async () => {
    const client = await desk.registered()
    const given = await desk.codeFor(client)
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.redeem(client, given)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeLessThanOrEqual(1)
    for (const answer of good) expect((await desk.use(((await answer.json()) as Tokens).access_token)).status).toBe(401)
  })

  test('a code is not valid for another client, another address, or after a minute', async () => {
    const [mine, other] = [await desk.registered(), await desk.registered()]
    expect(await errorOf(await desk.redeem(other, await desk.codeFor(mine)))).toBe('invalid_grant')
    const elsewhere = { redirect_uri: 'http://127.0.0.1:1/callback' }
    expect(await errorOf(await desk.redeem(mine, await desk.codeFor(mine), elsewhere))).toBe('invalid_grant')
    const late = await desk.codeFor(mine)
    desk.moved.by += 60_000
    expect(await errorOf(await desk.redeem(mine, late))).toBe('invalid_grant')
  })
})

describe('tokens', () => {
  test('are not issued for another resource', async () => {
    const { client, tokens } = await desk.loggedIn()
    const elsewhere = { resource: 'https://evil.example/mcp' }
    expect(await errorOf(await desk.redeem(client, await desk.codeFor(client), elsewhere))).toBe('invalid_target')
    expect(await errorOf(await desk.refresh(client, tokens.refresh_token, elsewhere))).toBe('invalid_target')
    expect(await errorOf(await desk.refresh(client, tokens.refresh_token, { resource: `${desk.resource}/x` }))).toBe(
      'invalid_target',
    )
    const both = await desk.post('/oauth/token', [
      ['grant_type', 'refresh_token'],
      ['client_id', client],
      ['refresh_token', tokens.refresh_token],
      ['resource', desk.resource],
      ['resource', 'https://evil.example/mcp'],
    ])
    expect(await errorOf(both)).toBe('invalid_target')
    expect(
      (
        await desk.refresh(client, tokens.refresh_token, {
          resource: desk.resource.toUpperCase().replace('/MCP', '/mcp'),
        })
      ).status,
    ).toBe(200)
  })

  test('issued for another address of the same database are not accepted', async () => {
    const { tokens } = await desk.loggedIn()
    const other = await openOAuthDesk({ store: desk.store })
    expect((await other.use(tokens.access_token)).status).toBe(401)
    await other.close()
  })

  test('reusing a refresh token revokes everything, regardless of which client used it first', async () => {
    const { client, tokens } = await desk.loggedIn()
    const next = (await (await desk.refresh(client, tokens.refresh_token)).json()) as Tokens
    expect((await desk.use(next.access_token)).status).toBe(200)
    expect(await errorOf(await desk.refresh(client, tokens.refresh_token))).toBe('invalid_grant')
    for (const token of [tokens.access_token, next.access_token]) expect((await desk.use(token)).status).toBe(401)
    expect(await errorOf(await desk.refresh(client, next.refresh_token))).toBe('invalid_grant')
  })

  test('a refresh token is not valid for another client, and never for more than was granted', async () => {
    const { tokens } = await desk.loggedIn()
    expect(await errorOf(await desk.refresh(await desk.registered(), tokens.refresh_token))).toBe('invalid_grant')
    const page = await (await desk.ask(Object.entries({ ...request(await desk.registered()), scope: 'read' }))).text()
    expect(page).not.toContain('value="write"')
    const client = await desk.registered()
    const { verifier, challenge } = pkce()
    // The form sends more scopes than were requested.
    const answer = await desk.allow(await desk.ask(Object.entries({ ...request(client, challenge), scope: 'read' })))
    const given = (await (await desk.redeem(client, { code: landed(answer).get('code')!, verifier })).json()) as Tokens
    expect(given).toMatchObject({ scope: 'read' })
    expect(await errorOf(await desk.refresh(client, given.refresh_token, { scope: 'read write' }))).toBe(
      'invalid_scope',
    )
    expect((await desk.refresh(client, given.refresh_token)).status).toBe(200)
  })

  test('neither kind is accepted as the other, in the URL, or with characters added or removed', async () => {
    const { client, code, tokens } = await desk.loggedIn()
    for (const wrong of [
      tokens.refresh_token,
      code,
      `${tokens.access_token}x`,
      tokens.access_token.slice(0, -1),
      client,
    ])
      expect((await desk.use(wrong)).status).toBe(401)
    expect((await desk.send(`/mcp?access_token=${tokens.access_token}`)).status).toBe(401)
    expect(await errorOf(await desk.refresh(client, tokens.access_token))).toBe('invalid_grant')
  })

  test('a client with a secret, or without an id, gets an error', async () => {
    const { client, tokens } = await desk.loggedIn()
    const fields = { grant_type: 'refresh_token', client_id: client, refresh_token: tokens.refresh_token }
    const basic = await desk.trade(fields, { authorization: 'Basic eDp5' })
    expect([basic.status, basic.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="ken"'])
    expect(await errorOf(basic)).toBe('invalid_client')
    expect(await errorOf(await desk.trade({ ...fields, client_secret: 'x' }))).toBe('invalid_client')
    expect(await errorOf(await desk.trade({ ...fields, client_id: '' }))).toBe('invalid_request')
    expect(await errorOf(await desk.trade({ ...fields, grant_type: 'password' }))).toBe('unsupported_grant_type')
    expect(await errorOf(await desk.trade({ ...fields, grant_type: 'constructor' }))).toBe('unsupported_grant_type')
    expect(await errorOf(await desk.trade({ ...fields, grant_type: '' }))).toBe('invalid_request')
  })
})

describe('duplicate parameters', () => {
  test('show no consent page, and cause no redirect', async () => {
    const client = await desk.registered()
    const asked = request(client)
    for (const name of Object.keys(asked))
      for (const value of [asked[name]!, 'https://evil.example/callback']) {
        const page = await desk.ask([...Object.entries(asked), [name, value]])
        expect([name, page.status, page.headers.get('location')]).toEqual([name, 400, null])
      }
  })

  test('yield no token, and the code stays valid', async () => {
    const client = await desk.registered()
    const { code, verifier } = await desk.codeFor(client)
    const fields = Object.entries({
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    })
    for (const [name, value] of fields)
      expect([name, await errorOf(await desk.post('/oauth/token', [...fields, [name, value]]))]).toEqual([
        name,
        'invalid_request',
      ])
    // Parameters in the address are ignored.
    const inAddress = await desk.send(`/oauth/token?${new URLSearchParams(fields)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(await errorOf(inAddress)).toBe('invalid_request')
    expect((await desk.post('/oauth/token', fields)).status).toBe(200)
  })

  test('a body of another type, or a huge one, is not read', async () => {
    const json = await desk.send('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'authorization_code' }),
    })
    expect(await errorOf(json)).toBe('invalid_request')
    expect(await errorOf(await desk.trade({ grant_type: 'x'.repeat(100_000) }))).toBe('invalid_request')
    const register = await desk.send('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"client_name":"${'x'.repeat(100_000)}"}`,
    })
    expect(await errorOf(register)).toBe('invalid_client_metadata')
  })
})

describe('the consent page', () => {
  test('cannot be framed, runs nothing, and is not cached', async () => {
    const client = await desk.registered()
    const pages = [
      await desk.ask(Object.entries(request(client))),
      await desk.ask(Object.entries(request('nobody'))),
      await desk.send('/device', { headers: { cookie: 'session=one' } }),
      await desk.post('/device', [], { cookie: 'session=one' }),
    ]
    for (const { headers } of pages) {
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect(pages[0]!.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:4711;")
  })

  test('accepts an answer only from the session it was shown to, and only for the request it showed', async () => {
    const client = await desk.registered()
    const html = await (await desk.ask(Object.entries(request(client)))).text()
    const fields = {
      request: hidden(html, 'request'),
      seal: hidden(html, 'seal'),
      decision: 'allow',
      scope: 'read',
      project: 'P1',
    }
    const answer = (more: Record<string, string>, headers: Record<string, string> = {}) =>
      desk.post('/oauth/authorize', Object.entries({ ...fields, ...more }), { cookie: 'session=one', ...headers })
    const evil = await desk.registered({ redirect_uris: ['https://evil.example/cb'] })
    const swapped = new URLSearchParams({ ...request(evil), redirect_uri: 'https://evil.example/cb' }).toString()
    const refused = [
      await answer({ seal: '' }),
      await answer({ seal: 'x'.repeat(43) }),
      await answer({ request: swapped }),
      await answer({ request: `${fields.request}&scope=write` }),
      await answer({ project: 'P3' }, { cookie: 'session=two' }),
      await answer({}, { cookie: 'session=none' }),
      await answer({}, { origin: 'https://evil.example' }),
      await answer({}, { origin: 'null' }),
      await answer({}, { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }),
      await answer({}, { origin: desk.issuer, 'sec-fetch-site': 'cross-site' }),
      await answer({}, { 'sec-fetch-site': 'cross-site' }),
      await answer({}, { 'sec-fetch-site': 'same-site' }),
      await answer({ project: 'P3' }),
      await desk.post('/oauth/authorize', [...Object.entries(fields), ['decision', 'allow']], {
        cookie: 'session=one',
      }),
    ]
    expect(refused.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      refused.map(() => [403, null]),
    )
    // Without a choice, nothing is granted.
    expect((await answer({ project: '' })).status).toBe(403)
    expect((await answer({ scope: '' })).status).toBe(400)
    const plain = await desk.send('/oauth/authorize', {
      method: 'POST',
      headers: { cookie: 'session=one', 'content-type': 'text/plain' },
      body: new URLSearchParams(fields).toString(),
    })
    expect(plain.status).toBe(400)
    // The device page's seal is not valid here.
    const device = await (await desk.send('/device', { headers: { cookie: 'session=one' } })).text()
    expect((await answer({ seal: hidden(device, 'seal') })).status).toBe(403)
    expect((await answer({}, { origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })
})

test('no error message contains a code, a token or a verifier', async () => {
  const { client, code, verifier, tokens } = await desk.loggedIn()
  await desk.redeem(client, { code, verifier })
  await desk.refresh(client, tokens.refresh_token)
  await desk.ask(Object.entries({ ...request('nobody'), state: code }))
  expect(desk.told.length).toBeGreaterThan(0)
  const told = desk.told.map((one) => `${(one as Error).stack} ${JSON.stringify(one)}`).join('\n')
  for (const secret of [code, verifier, tokens.access_token, tokens.refresh_token]) expect(told).not.toContain(secret)
  expect(told).not.toMatch(/ken_(?:code|access|refresh|device)_/)
})
