import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isPrivateAddress } from '../src/kernel/system/private-address.ts'
import { openClientDocuments, type DocumentOptions } from '../src/team/adapters/https-client-documents.ts'
import { landed, openOAuthDesk, REDIRECT, request, type OAuthDesk } from './oauth/oauth-desk.ts'
import { ownCertificate } from './vendors/own-certificate.ts'

const certificate = ownCertificate('client.example')
const asked: string[] = []
const looked: string[] = []
let answer: (response: ServerResponse, path: string) => void
let site: Server
let port: number
let connections = 0
const desks: OAuthDesk[] = []

beforeAll(async () => {
  site = createServer(certificate, (incoming, response) => {
    asked.push(incoming.url!)
    answer(response, incoming.url!)
  })
  site.on('connection', () => (connections += 1))
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  port = (site.address() as { port: number }).port
})
afterAll(() => site.close())
afterEach(async () => {
  asked.length = 0
  connections = 0
  looked.length = 0
  site.closeAllConnections()
  await Promise.all(desks.splice(0).map((desk) => desk.close()))
})

/** Names resolve to this test's real server, which counts as public unless the rules themselves are tested. */
const documentsHere = (more: DocumentOptions = {}) =>
  openClientDocuments({
    resolve: (name, tell) => {
      looked.push(name)
      tell(null, [{ address: '127.0.0.1', family: 4 }])
    },
    isAllowed: () => true,
    authorities: [certificate.cert],
    ...more,
  })
const open = async (more: DocumentOptions = {}): Promise<OAuthDesk> => {
  const desk = await openOAuthDesk({ documents: documentsHere(more) })
  desks.push(desk)
  return desk
}
const idHere = (path = '/client.json'): string => `https://client.example:${port}${path}`
const documentOf = (more: Record<string, unknown> = {}, path?: string) => ({
  client_id: idHere(path),
  client_name: 'An Agent',
  redirect_uris: ['http://127.0.0.1/callback', 'cursor://x/y', 'http://evil.example/cb'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  ...more,
})
const json =
  (value: unknown, headers: Record<string, string> = {}, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const askFor = (desk: OAuthDesk, id = idHere()) => desk.ask(Object.entries(request(id)))

describe('a client identified by its document', () => {
  test('logs in; the person sees the address of the document and the name in it', async () => {
    answer = json(documentOf())
    const desk = await open()
    expect(await (await desk.send('/.well-known/oauth-authorization-server')).json()).toMatchObject({
      client_id_metadata_document_supported: true,
    })
    const page = await askFor(desk)
    const html = await page.clone().text()
    expect(html).toContain('<strong>An Agent</strong>')
    expect(html).toContain(`Described at ${idHere()}`)
    const given = await desk.codeFor(idHere())
    expect(landed(given.answer).get('iss')).toBe(desk.issuer)
    const tokens = (await (await desk.redeem(idHere(), given)).json()) as {
      access_token: string
      refresh_token: string
    }
    expect(await (await desk.use(tokens.access_token)).json()).toMatchObject({
      client: idHere(),
      clientName: 'An Agent',
    })
    expect((await desk.refresh(idHere(), tokens.refresh_token)).status).toBe(200)
    // Fetched once for all of that.
    expect(asked).toEqual(['/client.json'])
  })

  test('is redirected only to an address in the document that Ken would allow', async () => {
    answer = json(documentOf())
    const desk = await open()
    for (const redirect of [
      'https://evil.example/cb',
      'http://evil.example/cb',
      'cursor://x/y',
      'http://localhost/callback',
    ]) {
      const page = await desk.ask(Object.entries({ ...request(idHere()), redirect_uri: redirect }))
      expect([redirect, page.status, page.headers.get('location')]).toEqual([redirect, 400, null])
    }
  })

  test('its document is fetched again after it expires, and changes apply from then on', async () => {
    answer = json(documentOf(), { 'cache-control': 'public, max-age=600' })
    const desk = await open()
    expect((await askFor(desk)).status).toBe(200)
    answer = json(documentOf({ redirect_uris: ['https://client.example/other'] }))
    desk.moved.by += 599_000
    expect((await askFor(desk)).status).toBe(200)
    desk.moved.by += 2_000
    expect((await askFor(desk)).status).toBe(400)
    expect(asked).toHaveLength(2)
  })

  test('a failure is not cached, and many waiting callers cause one fetch', async () => {
    answer = json({}, {}, 500)
    const desk = await open()
    expect((await askFor(desk)).status).toBe(503)
    answer = json(documentOf())
    const pages = await Promise.all(Array.from({ length: 6 }, () => askFor(desk)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(asked).toHaveLength(2)
  })

  test('only signed-in people can make the server fetch, and each only a limited number of times', async () => {
    answer = json({}, {}, 404)
    const desk = await open()
    expect((await desk.ask(Object.entries(request(idHere())), 'session=none')).status).toBe(303)
    expect(asked).toEqual([])
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await askFor(desk, idHere(`/${i}.json`))).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 503), 429])
    expect(asked).toHaveLength(30)
  })

  test('is unknown if client documents are disabled', async () => {
    const desk = await openOAuthDesk()
    desks.push(desk)
    expect((await askFor(desk)).status).toBe(400)
  })
})

describe('a document is refused', () => {
  test.each([
    ['that is about another client', { client_id: 'https://client.example/other.json' }],
    ['that writes its own address differently', { client_id: 'https://client.example/client.json' }],
    ['without a name', { client_name: undefined }],
    ['without a place to send to', { redirect_uris: [] }],
    ['with no place that Ken would send to', { redirect_uris: ['http://evil.example/cb'] }],
    ['with a secret', { client_secret: 'x' }],
    ['of a client that proves itself by a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['of a client that proves itself by a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['of a client for other grants', { grant_types: ['client_credentials'] }],
    ['of a web application on the loopback address', { application_type: 'web', redirect_uris: [REDIRECT] }],
  ])('%s', async (_what, more) => {
    answer = json(documentOf(more))
    const page = await askFor(await open())
    expect([page.status, page.headers.get('location'), asked.length]).toEqual([400, null, 1])
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['that leads elsewhere', (response) => json(documentOf(), { location: '/other.json' }, 302)(response)],
    [
      'that is a little too large, without saying so',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write(' '.repeat(16 * 1024))
        response.end(JSON.stringify(documentOf()))
      },
    ],
    [
      'that leads into the network',
      (response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    ],
    ['that is not there', json({}, {}, 404)],
    ['that is a page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('{}')],
    [
      'that says it is huge',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99999999' }).write('{'),
    ],
    [
      'that does not end',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1_000)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
    ],
    ['whose server is silent', () => undefined],
    [
      'that comes a byte at a time',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'whose bytes are no text',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0xff])),
    ],
  ])('%s', async (_what, answered) => {
    answer = (response, path) =>
      path === '/other.json' ? json(documentOf({}, '/other.json'))(response) : answered(response)
    const page = await askFor(await open({ patience: 400 }))
    expect([page.status, page.headers.get('location')]).toEqual([503, null])
    expect(asked).toEqual(['/client.json'])
  })

  test('behind an untrusted certificate, or one for another name', async () => {
    answer = json(documentOf())
    expect((await askFor(await open({ authorities: [] }))).status).toBe(503)
    expect((await askFor(await open(), `https://other.example:${port}/client.json`)).status).toBe(503)
    expect(asked).toEqual([])
  })
})

describe('the internal network of the server is unreachable', () => {
  test.each([
    ['127.0.0.1', 4],
    ['10.0.0.7', 4],
    ['172.20.0.1', 4],
    ['192.168.1.1', 4],
    ['169.254.169.254', 4],
    ['100.100.100.200', 4],
    ['0.0.0.0', 4],
    ['255.255.255.255', 4],
    ['::1', 6],
    ['::', 6],
    ['::127.0.0.1', 6],
    ['::ffff:127.0.0.1', 6],
    ['::ffff:10.0.0.1', 6],
    ['64:ff9b::7f00:1', 6],
    ['64:ff9b:1::7f00:1', 6],
    ['2002:7f00:1::', 6],
    ['2001:0:7f00:1::', 6],
    ['fd12:3456::1', 6],
    ['fe80::1', 6],
    ['fe80::1%eth0', 6],
    ['ff02::1', 6],
    ['not an address', 4],
  ])('a name that resolves to %s is not contacted, alone or beside a public one', async (address, family) => {
    expect(isPrivateAddress(address)).toBe(true)
    answer = json(documentOf())
    for (const found of [
      [{ address, family }],
      [
        { address: '1.1.1.1', family: 4 },
        { address, family },
      ],
    ]) {
      const rules: DocumentOptions = {
        resolve: (_name, tell) => tell(null, found),
        isAllowed: (one) => !isPrivateAddress(one),
      }
      await expect(documentsHere(rules).fetch(idHere())).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(connections).toBe(0)
  })

  test('this machine is not contacted by the default rules', async () => {
    answer = json(documentOf())
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:7f00:1]'])
      await expect(
        openClientDocuments({ authorities: [ownCertificate('localhost').cert] }).fetch(`https://${host}:${port}/c`),
      ).rejects.toMatchObject({ code: 'unavailable' })
    expect(connections).toBe(0)
    expect(['1.1.1.1', '93.184.216.34', '2606:4700::1111'].filter(isPrivateAddress)).toEqual([])
  })

  test.each([
    'http://client.example/client.json',
    'https://client.example',
    'https://client.example/',
    'https://127.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://[::1]/client.json',
    'https://localhost/client.json',
    'https://metadata.google.internal/client.json',
    'https://printer.local/client.json',
    'https://printer/client.json',
    'https://client.example./client.json',
    'https://user@client.example/client.json',
    'https://user:word@client.example/client.json',
    'https://client.example/client.json?x=1',
    'https://client.example/client.json#x',
    'https://client.example/a/../client.json',
    'https://client.example/a/%2E%2e/client.json',
    'https://CLIENT.example/client.json',
    'HTTPS://client.example/client.json',
    'https://client.example\\@127.0.0.1/client.json',
    'https://client.example/ client.json',
    'https://clïent.example/client.json',
    'file:///etc/passwd',
    'ftp://client.example/client.json',
    `https://client.example/${'x'.repeat(400)}`,
  ])('%s is not a document address: its name is not even resolved', async (id) => {
    answer = json(documentOf({ client_id: id }))
    const page = await askFor(await open(), id)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    expect([connections, looked]).toEqual([0, []])
  })
})
