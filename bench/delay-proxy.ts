import { spawn } from 'node:child_process'
import { createServer, connect, type AddressInfo } from 'node:net'

/**
 * Forwards connections to a local port and delays each answer by `milliseconds`; runs in a separate process, so that it
 * costs the measured process nothing.
 */
export async function delayProxy(
  port: number,
  milliseconds: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const child = spawn(process.execPath, [import.meta.filename, String(port), String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const told = await new Promise<string>((ready) => child.stdout.once('data', (chunk: Buffer) => ready(String(chunk))))
  return {
    port: Number(told),
    async close() {
      child.kill()
      await ended
    },
  }
}

function serve(port: number, milliseconds: number): void {
  // Without this option, small packets wait for an acknowledgement that the other side delays by 40 ms.
  const noDelay = true
  const server = createServer({ noDelay }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay })
    client.pipe(upstream)
    upstream.on('data', (chunk) => void setTimeout(() => client.writable && client.write(chunk), milliseconds))
    upstream.on('close', () => void setTimeout(() => client.end(), milliseconds))
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}

if (import.meta.main) serve(Number(process.argv[2]), Number(process.argv[3]))
