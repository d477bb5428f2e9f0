import { createServer, connect, type AddressInfo } from 'node:net'

/** Passes a connection on to a port here, each answer `milliseconds` late. */
export async function delayProxy(port: number, milliseconds: number): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.pipe(upstream)
    upstream.on('data', (chunk) => void setTimeout(() => client.writable && client.write(chunk), milliseconds))
    upstream.on('close', () => void setTimeout(() => client.end(), milliseconds))
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { port: (server.address() as AddressInfo).port, close: () => new Promise((done) => server.close(() => done())) }
}
