import { createHash } from 'node:crypto'
import { pageText } from '../../kernel/domain/lone-page.ts'
import { PAGE_HEADERS } from './page-files.ts'

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}code{overflow-wrap:anywhere}fieldset{margin:1rem 0;border:1px solid #8888}label{display:block}button,input[type=text],input[type=email]{font:inherit;padding:.4rem .8rem}input{max-width:100%;box-sizing:border-box}@media (pointer:coarse){button,input[type=text],input[type=email]{min-height:40px}label:has([type=checkbox]){padding:.6rem 0}}.warning{border-left:3px solid #c60;padding-left:.8rem}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export interface PlainPage {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly title: string
  /** HTML with all text escaped by `pageText`. */
  readonly body: string
  /** A redirect target of the page's form outside this server: some browsers apply the policy to it. */
  readonly formLeadsTo?: string
  /** A script of this server, which may send requests to this server only; nothing else runs. */
  readonly script?: string
}

/** A page that cannot be framed and runs at most one script from this server. */
export const plainPage = ({ status = 200, headers = {}, title, body, formLeadsTo = '', script }: PlainPage): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${pageText(title)} · Ken</title><style>${STYLE}</style>${script === undefined ? '' : `<script src="${script}" defer></script>`}</head><body><main><h1>${pageText(title)}</h1>${body}</main></body></html>`,
    {
      status,
      headers: {
        ...headers,
        ...PAGE_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; ${script === undefined ? '' : "script-src 'self'; connect-src 'self'; "}style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self' ${formLeadsTo}; frame-ancestors 'none'`,
        // Without a referrer a browser would send the form without its origin.
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      },
    },
  )

export const saying = (sentence: string): string => `<p>${pageText(sentence)}</p>`

/** A 303 redirect, so that a POST is not repeated at the target. */
export function sendTo(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
