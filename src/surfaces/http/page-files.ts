import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../../kernel/domain/lone-page.ts'
import { nothingHere } from './refusals.ts'

/** A file of the web app, by its relative path. */
export interface WebFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** The same, compressed; missing for files whose contents change. */
  readonly gzipped?: Uint8Array
}

export type WebFiles = (path: string) => Promise<WebFile | undefined>

/** Headers of every response to a browser: no foreign code, no framing, no referrer. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Styles that an editor creates at run time have the nonce; scripts come only from files. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const PAGE = 'index.html'
// Assets can be cached for good: their names change with their contents.
const LASTING = /^assets\//

/** The page's view of its server; a local server offers everything. */
export interface ServerSaid {
  readonly team: boolean
  /** The operations that the server offers, if not all. */
  readonly offers?: readonly string[]
}

/** Serves an app URL: a file, or else the app's page, which does the routing. */
export async function answerWithFile(request: Request, files: WebFiles): Promise<Response | undefined> {
  return (await answerFile(request, files)) ?? (await answerPage(files, { team: false }))
}

/** A file of the app; undefined if the URL is one of its pages. A missing asset is not a page. */
export async function answerFile(request: Request, files: WebFiles): Promise<Response | undefined> {
  const path = decoded(new URL(request.url).pathname).replace(/^\/+/, '')
  const file = path === '' || path === PAGE ? undefined : await files(path)
  if (file === undefined) return LASTING.test(path) ? nothingHere() : undefined
  const gzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '') ? file.gzipped : undefined
  return new Response(Buffer.from(gzipped ?? file.bytes), {
    headers: {
      'content-type': file.type,
      ...(file.gzipped && { vary: 'accept-encoding' }),
      ...(gzipped && { 'content-encoding': 'gzip' }),
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': LASTING.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  })
}

export async function answerPage(files: WebFiles, said: ServerSaid): Promise<Response | undefined> {
  const page = await files(PAGE)
  if (page === undefined) return undefined
  const nonce = randomBytes(18).toString('base64url')
  const text = new TextDecoder().decode(page.bytes)
  return new Response(
    text.replaceAll('{nonce}', nonce).replace('{server}', () => escapeHtml(JSON.stringify(said))),
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy(nonce),
        'cache-control': 'no-store',
      },
    },
  )
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return ''
  }
}
