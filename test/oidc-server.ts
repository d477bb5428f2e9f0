import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// The package has no types.
// @ts-expect-error see above
import { Provider } from 'oidc-provider'

export interface OidcServer {
  readonly issuer: string
  /** Signs in there and consents; returns the address that the browser is redirected to. */
  goThrough(url: string, login: string): Promise<URL>
  close(): Promise<void>
}

/** An OpenID Connect provider on loopback. A login is an e-mail address, unverified if it contains `+unverified`. */
export async function startOidc(client: { id: string; secret: string; redirectUri: string }): Promise<OidcServer> {
  let handle: ((...all: unknown[]) => void) | undefined
  const server = createServer((request, response) => handle!(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: 'one' }] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.includes('+unverified') }),
    }),
  })
  handle = provider.callback()
  return {
    issuer,
    goThrough: (url, login) => goThrough(issuer, url, login),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A minimal browser with cookies. */
async function goThrough(issuer: string, url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let [next, form]: [URL, URLSearchParams | undefined] = [new URL(url), undefined]
  for (let step = 0; step < 12; step++) {
    const response = await fetch(next, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    const [place, page] = [response.headers.get('location'), await response.text()]
    if (place !== null) {
      next = new URL(place, next)
      form = undefined
      if (next.origin !== issuer) return next
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`no form: ${response.status} ${page.slice(0, 300)}`)
      form = new URLSearchParams({ prompt, login, password: 'any' })
    }
  }
  throw new Error('too many steps')
}
