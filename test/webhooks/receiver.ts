import { webcrypto } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: any
}

/** A receiver of webhooks on loopback. */
export interface Receiver {
  readonly url: string
  readonly host: string
  readonly port: number
  /** In order of arrival. */
  readonly received: Received[]
  /** Answers of the next requests; 204 after them. */
  readonly answers: ((response: ServerResponse) => void)[]
  close(): Promise<void>
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const answers: Receiver['answers'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ headers: request.headers, body, json: JSON.parse(body) })
      const answer = answers.shift()
      if (answer) answer(response)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}/hook`,
    host: `127.0.0.1:${own}`,
    port: own,
    received,
    answers,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Verifies a message as the Standard Webhooks specification says, with the cryptography of the web instead of Node's. */
export async function isSigned({ headers, body }: Received, secret: string, now = Date.now()): Promise<boolean> {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (Math.abs(now / 1_000 - Number(time)) > 300) return false
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (letter) => letter.codePointAt(0)!)
  const key = await webcrypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const [version, signature] = String(signatures).split(',')
  const bytes = Uint8Array.from(atob(signature!), (letter) => letter.codePointAt(0)!)
  const signed = new TextEncoder().encode(`${String(id)}.${String(time)}.${body}`)
  return version === 'v1' && (await webcrypto.subtle.verify('HMAC', key, bytes, signed))
}
