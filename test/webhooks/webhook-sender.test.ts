import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWebhookSender } from '../../src/team/adapters/guarded-webhook-sender.ts'
import { isSigned, openReceiver, type Receiver } from './receiver.ts'

const KEY = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const message = () => ({ id: 'msg_1', body: '{"type":"webhook.test"}', secret: KEY, at: new Date() })
const sender = (patience = 10_000) => openWebhookSender({ hosts: [receiver.host], patience })
const send = (patience?: number) => sender(patience).send(receiver.url, message())

test('a message is signed so that a stranger’s verification accepts it, and no other', async () => {
  await send()
  const [got] = receiver.received
  expect(got!.headers).toMatchObject({ 'webhook-id': 'msg_1', 'content-type': 'application/json' })
  expect(await isSigned(got!, KEY)).toBe(true)
  expect(await isSigned({ ...got!, body: `${got!.body} ` }, KEY)).toBe(false)
  expect(await isSigned({ ...got!, headers: { ...got!.headers, 'webhook-id': 'msg_2' } }, KEY)).toBe(false)
  expect(await isSigned(got!, KEY.replace('MDEy', 'MDEz'))).toBe(false)
})

test('the example of the specification gets the signature that it names', async () => {
  const body = '{"test": 2432232314}'
  const at = new Date(1_614_265_330_000)
  await sender().send(receiver.url, {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    at,
  })
  expect(receiver.received[0]!.headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test.each([
  [500, 'It answered 500.'],
  [404, 'It answered 404.'],
  [304, 'It answered 304, a redirect, which is not followed.'],
])('status %i is a failure', async (status, fault) => {
  receiver.answers.push((response) => response.writeHead(status).end('<h1>internal</h1>'))
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', message: fault })
})

test('a redirect is not followed', async () => {
  const inside = await openReceiver()
  receiver.answers.push((response) => response.writeHead(307, { location: inside.url }).end())
  await expect(send()).rejects.toThrow('It answered 307, a redirect, which is not followed.')
  expect(inside.received).toEqual([])
  await inside.close()
})

test('a receiver that does not answer is given up after the time limit', async () => {
  receiver.answers.push(() => undefined)
  await expect(send(100)).rejects.toThrow('It did not answer within 0.1 s.')
})

test('of an endless answer only the status is read, and the connection is closed', async () => {
  const isClosed = Promise.withResolvers<void>()
  receiver.answers.push((response) => {
    response.writeHead(200)
    const more = setInterval(() => response.write('x'.repeat(10_000)), 1)
    response.on('close', () => {
      clearInterval(more)
      isClosed.resolve()
    })
  })
  await send()
  await isClosed.promise
})

test('an answer with endless headers is a failure', async () => {
  receiver.answers.push((response) => response.writeHead(200, { 'x-more': 'x'.repeat(100_000) }).end())
  await expect(send()).rejects.toThrow('No connection: HPE_HEADER_OVERFLOW.')
})

test.each([
  ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', 'it answered 101'],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'it answered 101'],
  ['HTTP/1.1 999 Odd\r\n\r\n', 'it answered 999'],
  ['', 'ECONNRESET'],
])('the answer %j ends the try at once', async (answer, cause) => {
  receiver.answers.push(({ socket }) => (answer === '' ? socket!.destroy() : socket!.write(answer)))
  await expect(send()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(cause) })
})

test('a stopped delivery is not a failure of the receiver', async () => {
  const stop = new AbortController()
  receiver.answers.push(() => stop.abort())
  await expect(sender().send(receiver.url, message(), stop.signal)).rejects.toMatchObject({ code: 'stopped' })
})

const INSIDE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0',
  '10.0.0.5',
  '169.254.169.254',
  '[::1]',
  '[::ffff:10.0.0.5]',
  '[fd00::1]',
  'localhost',
  'localhost.',
]

test.each(INSIDE)('%s is refused when it is added and when it is used', async (host) => {
  const url = `https://${host}/hook`
  const { assertAllowed, send: deliver } = openWebhookSender()
  await expect(assertAllowed(url)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(deliver(url, message())).rejects.toMatchObject({ code: 'forbidden' })
})

test('a name with any private address is refused when it is added', async () => {
  const { assertAllowed } = openWebhookSender({ resolve: async () => ['203.0.113.7', '10.0.0.5'] })
  await expect(assertAllowed('https://hooks.example.com/')).rejects.toMatchObject({ code: 'forbidden' })
  await openWebhookSender({ resolve: async () => ['203.0.113.7'] }).assertAllowed('https://hooks.example.com/')
})

test('an unknown name and a private one get the same fault', async () => {
  const faults = await Promise.all(
    ['https://nothing.invalid/', 'https://localhost/'].map((url) =>
      openWebhookSender()
        .send(url, message())
        .catch((thrown: { line: string }) => thrown.line),
    ),
  )
  expect(faults[0]).toBe(faults[1])
})

test.each([
  'http://hooks.example.com/',
  'file:///etc/passwd',
  'https://ada:pw@hooks.example.com/',
  'https://hooks.example.com/#part',
  'hooks.example.com',
  '',
])('%j is not an address of a webhook', async (url) => {
  await expect(openWebhookSender().assertAllowed(url)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(openWebhookSender().send(url, message())).rejects.toMatchObject({ code: 'invalid_input' })
})

test('only the named port of a host that the operator allows is reached', async () => {
  const other = await openReceiver()
  await expect(sender().assertAllowed(other.url)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(sender().assertAllowed(other.url.replace('http', 'https'))).rejects.toMatchObject({ code: 'forbidden' })
  await expect(sender().send(other.url.replace('http', 'https'), message())).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(other.received).toEqual([])
  await other.close()
})
