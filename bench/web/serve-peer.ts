import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' }

/** Serves the built page of another program as static files. */
export async function servePeer(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const named = join(folder, normalize(new URL(request.url!, 'http://peer').pathname))
    const path = existsSync(named) && statSync(named).isFile() ? named : join(folder, 'index.html')
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(readFileSync(path))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
