import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ownCertificate } from './vendors/own-certificate.ts'

/** A git host over TLS, on loopback, under a name that does not resolve: git's own server behind a token check. */
export interface GitHost {
  readonly port: number
  /** File with the certificate authority. */
  readonly authority: string
  /** Credentials of each request, e.g. `Basic …`. */
  readonly shown: (string | undefined)[]
  close(): Promise<void>
}

const BACKEND = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')

/** Serves a repository at `/<name of its folder>`; `/moved` redirects to it, `/endless` lists branches endlessly. */
export async function openGitHost(name: string, repository: string, wanted: string): Promise<GitHost> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-git-host-'))
  const certificate = ownCertificate(name)
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, certificate.cert)
  const shown: (string | undefined)[] = []
  const server: Server = createServer(certificate, (request, response) => {
    const url = new URL(request.url!, `https://${name}`)
    shown.push(request.headers.authorization)
    if (url.pathname.startsWith('/moved'))
      return void response
        .writeHead(302, { location: request.url!.replace('/moved', `/${basename(repository)}`) })
        .end()
    if (url.pathname.startsWith('/endless')) return nameBranches(request, response)
    if (request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    const backend = spawn(BACKEND, [], {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_PROJECT_ROOT: dirname(repository),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    backend.on('close', () => {
      const said = Buffer.concat(chunks)
      const end = said.indexOf('\r\n\r\n')
      const lines = said.toString('latin1', 0, end).split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => line.split(/: ?/, 2) as [string, string]))
      response.writeHead(Number(headers['Status']?.slice(0, 3) ?? 200), headers).end(said.subarray(end + 4))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    authority,
    shown,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      rmSync(folder, { recursive: true })
    },
  }
}

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text

function nameBranches(request: IncomingMessage, response: ServerResponse): void {
  const kind = request.method === 'GET' ? 'advertisement' : 'result'
  response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${kind}` })
  const offers = ['# service=git-upload-pack\n', undefined, 'version 2\n', 'ls-refs\n', 'fetch=shallow\n', undefined]
  if (kind === 'advertisement')
    return void response.end(offers.map((text) => (text === undefined ? '0000' : line(text))).join(''))
  request.resume()
  let named = 0
  const more = (): void => {
    const some = Array.from({ length: 5_000 }, () =>
      line(`${'0'.repeat(39)}1 refs/heads/${'x'.repeat(100)}${named++}\n`),
    )
    if (!response.destroyed && response.write(some.join(''))) setImmediate(more)
  }
  response.on('drain', more).on('error', () => undefined)
  more()
}
