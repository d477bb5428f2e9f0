import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLoginDesk } from '../src/app/auth/open-logins.ts'
import { openLease } from '../src/kernel/lease/sqlite/index.ts'
import { openLoginServer } from '../src/team/adapters/http-login-server.ts'
import { openCredentialStore } from '../src/team/credential-store/index.ts'
import { hashOfSecret } from '../src/team/domain/token.ts'
import { keepLogins, type LoginDesk } from '../src/team/keep-logins.ts'
import { logInByDevice } from '../src/team/log-in-by-device.ts'
import { logOut } from '../src/team/log-out.ts'
import type { DeviceCodes } from '../src/team/ports/login-server.ts'
import { openMemoryKeychain } from './memory-keychain.ts'
import { hidden, openOAuthDesk, type OAuthDesk } from './oauth/oauth-desk.ts'

const HOUR = 3_600_000

let server: OAuthDesk
let home: string
let desk: LoginDesk
beforeEach(async () => {
  server = await openOAuthDesk()
  home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-auth-')))
  desk = {
    // Both clocks advance together.
    clock: { now: () => new Date(Date.now() + server.moved.by), ulid: () => '', uuid: () => '' },
    serverAt: openLoginServer,
    shelf: openCredentialStore({ home, keychain: openMemoryKeychain(), openLease }),
  }
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

/** A person's steps in a browser with a code from elsewhere. */
async function answer(user: string, decision: 'allow' | 'deny'): Promise<void> {
  const cookie = { cookie: 'session=one' }
  const typed = await server.send('/device', { headers: cookie })
  const seal = hidden(await typed.text(), 'seal')
  const asked = await server.post('/device', [['seal', seal], ['user_code', user]], cookie) // prettier-ignore
  const page = await asked.text()
  const fields = ['seal', 'user_code'].map((name) => [name, hidden(page, name)] as const)
  await server.post(
    '/device',
    [...fields, ['decision', decision], ['scope', 'read'], ['scope', 'write'], ['project', 'P1']],
    cookie,
  )
}

/** Pauses advance the clocks instead of waiting. */
const pause = async (seconds: number): Promise<void> => void (server.moved.by += seconds * 1_000)
const logIn = (decision: 'allow' | 'deny' = 'allow') =>
  logInByDevice(server.issuer, desk, { pause, show: ({ user }) => answer(user, decision) })
const token = () => keepLogins(desk).tokenFor(server.issuer)
const letIn = async (bearer: string | undefined) => (await server.use(bearer ?? '')).status

describe('a device login', () => {
  test('blocks until the person approves, then returns a valid token', async () => {
    expect(await token()).toBeUndefined()
    const asked: number[] = []
    let codes: DeviceCodes | undefined
    const place = await logInByDevice(server.issuer, desk, {
      show: async (shown) => void (codes = shown),
      pause: async (seconds) => {
        asked.push(seconds)
        await pause(seconds)
        if (asked.length === 3) await answer(codes!.user, 'allow')
      },
    })
    expect(place).toBe('keychain')
    expect(asked).toEqual([5, 5, 5])
    expect(codes!.address).toBe(`${server.issuer}/device`)
    expect(await letIn(await token())).toBe(200)
  })

  test('polls less often if the server requests it', async () => {
    const asked: number[] = []
    let codes: DeviceCodes | undefined
    await logInByDevice(server.issuer, desk, {
      show: async (shown) => void (codes = shown),
      pause: async (seconds) => {
        asked.push(seconds)
        // The second request follows immediately.
        if (asked.length !== 2) await pause(seconds)
        if (asked.length === 3) await answer(codes!.user, 'allow')
      },
    })
    expect(asked).toEqual([5, 5, 10])
  })

  test('fails if the person denies it, or does not answer', async () => {
    await expect(logIn('deny')).rejects.toMatchObject({ code: 'forbidden' })
    const unanswered = logInByDevice(server.issuer, desk, { pause: () => pause(120), show: async () => {} })
    await expect(unanswered).rejects.toMatchObject({ code: 'unavailable' })
    expect(await token()).toBeUndefined()
  })

  test('replaces the previous one, whose token stops working', async () => {
    await logIn()
    const before = await token()
    await logIn()
    expect(await token()).not.toBe(before)
    expect([await letIn(before), await letIn(await token())]).toEqual([401, 200])
  })
})

describe('an aging login', () => {
  test('is renewed repeatedly before its token is refused', async () => {
    await logIn()
    const seen = new Set<string | undefined>()
    for (let hours = 0; hours < 3; hours++) {
      seen.add(await token())
      expect(await letIn(await token())).toBe(200)
      server.moved.by += HOUR
    }
    expect(seen.size).toBe(3)
  })

  test('is renewed once for any number of concurrent callers', async () => {
    await logIn()
    server.moved.by += HOUR
    const given = await Promise.all(Array.from({ length: 8 }, token))
    expect(new Set(given).size).toBe(1)
    expect(await letIn(given[0])).toBe(200)
    server.moved.by += HOUR
    expect(await letIn(await token())).toBe(200)
  })

  test('is renewed once by processes that start together, and stays valid', async () => {
    desk = { ...openLoginDesk(home), clock: desk.clock }
    await logIn()
    // For the other processes, which use the system clock.
    const kept = await desk.shelf.get(server.issuer)
    await desk.shelf.put(server.issuer, { ...kept!, accessUntil: new Date(0).toISOString() } as typeof kept & object)
    const run = promisify(execFile)
    const script = join(import.meta.dirname, 'auth/show-token.ts')
    const told = await Promise.all(
      Array.from({ length: 3 }, () => run(process.execPath, ['--no-warnings', script, home, server.issuer])),
    )
    const now = (await desk.shelf.get(server.issuer)) as { access: string }
    expect(told.map(({ stdout }) => stdout)).toEqual(told.map(() => hashOfSecret(now.access)))
    expect(await letIn(now.access)).toBe(200)
    // It may be in the keychain of the user who runs the tests.
    await desk.shelf.remove(server.issuer)
  })

  test('is reported as ended and forgotten if the server does not renew it', async () => {
    await logIn()
    server.gone.add('person-1')
    server.moved.by += HOUR
    await expect(token()).rejects.toMatchObject({ code: 'forbidden', hint: expect.stringContaining('ken auth login') })
    expect(await token()).toBeUndefined()
  })

  test('is kept if the server cannot be reached', async () => {
    await logIn()
    server.moved.by += HOUR
    const { serverAt } = desk
    desk = { ...desk, serverAt: () => serverAt('http://127.0.0.1:1') }
    await expect(token()).rejects.toMatchObject({ code: 'unavailable' })
    desk = { ...desk, serverAt }
    expect(await letIn(await token())).toBe(200)
  })
})

describe('logging out', () => {
  test('ends the login on the server and forgets it here', async () => {
    await logIn()
    const given = await token()
    expect(await logOut(server.issuer, desk)).toEqual({ was: true, revoked: true })
    expect([await letIn(given), await token()]).toEqual([401, undefined])
    expect(await logOut(server.issuer, desk)).toEqual({ was: false, revoked: false })
  })

  test('forgets it even if the server cannot be reached', async () => {
    await logIn()
    expect(await logOut(server.issuer, { ...desk, serverAt: () => openLoginServer('http://127.0.0.1:1') })).toEqual({
      was: true,
      revoked: false,
    })
    expect(await token()).toBeUndefined()
  })
})

describe('a server that does not run Ken', () => {
  const asking = async (answered: RequestListener, work: (origin: string) => Promise<unknown>): Promise<unknown> => {
    const other = createServer(answered)
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    try {
      return await work(`http://127.0.0.1:${(other.address() as AddressInfo).port}`).catch((error: unknown) => error)
    } finally {
      other.closeAllConnections()
      other.close()
    }
  }
  const json =
    (body: object, status = 200): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
  const CODES = { device_code: 'd', user_code: 'ABCD-EFGH', expires_in: 600, interval: 5 }

  test('a redirect is not followed, so that no token is sent along', async () => {
    const heard: string[] = []
    const answered: RequestListener = (request, response) => {
      heard.push(request.url!)
      response.writeHead(307, { location: '/elsewhere' }).end()
    }
    expect(await asking(answered, (origin) => openLoginServer(origin).refresh('ken_refresh_x'))).toMatchObject({
      code: 'unavailable',
    })
    expect(heard).toEqual(['/oauth/token'])
  })

  test('a code is only typed on a page of the named server', async () => {
    const elsewhere = json({ ...CODES, verification_uri: 'https://evil.example/device' })
    expect(await asking(elsewhere, (origin) => openLoginServer(origin).begin())).toMatchObject({ code: 'unavailable' })
    expect(await asking(json({ ...CODES, verification_uri: '/device' }), (origin) => openLoginServer(origin).begin())).toMatchObject({ user: 'ABCD-EFGH' }) // prettier-ignore
  })

  test.each([
    ['nothing', json({})],
    ['a code that would move the cursor', json({ ...CODES, user_code: '\u001b[2J', verification_uri: '/device' })],
    ['a login without an end', json({ ...CODES, expires_in: 1e12, verification_uri: '/device' })],
    ['more than anybody reads', json({ ...CODES, verification_uri: '/device', more: 'x'.repeat(100_000) })],
    ['a page', (_request, response) => void response.end('<html>ken_refresh_x</html>')],
  ] as [string, RequestListener][])('is refused when it answers with %s', async (_what, answered) => {
    const failure = await asking(answered, (origin) => openLoginServer(origin).begin())
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('ken_refresh_x')
  })
})
