import { createHash } from 'node:crypto'
import { pageText } from '../../kernel/domain/lone-page.ts'
import { PAGE_HEADERS } from './page-files.ts'

/** The tokens of `web/app/style/tokens.css` that these pages use, which load no file. */
const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--raised:#fff;--hover:#f0ede6;--ink:#1d1c1a;--soft:#5c5952;--line:#1d1c1a1a;--edge:#8c887f;--accent:#0b6b62;--accent-strong:#08524b;--on-accent:#fff;--warn:#855500;--warn-wash:#faf0dc}
@media(prefers-color-scheme:dark){:root{--paper:#141413;--raised:#1b1b19;--hover:#232320;--ink:#ece9e2;--soft:#b1ada2;--line:#ece9e224;--edge:#77736a;--accent:#5cc2b4;--accent-strong:#82d6ca;--on-accent:#0c1a18;--warn:#e0a94a;--warn-wash:#2d2413}}
*{box-sizing:border-box}
body{background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;margin:0}
main{margin:0 auto;max-width:30rem;padding:max(24px,12vh) 24px 48px}
.brand{color:var(--accent);font-weight:600;margin:0 0 8px}
h1{font-size:20px;font-weight:600;line-height:1.25;margin:0 0 16px}
h2{border-top:1px solid var(--line);font-size:16px;font-weight:600;margin:24px 0 8px;padding-top:24px}
p,ul{margin:0 0 12px}
ul{list-style:none;padding:0}
li{border-top:1px solid var(--line);padding:8px 0}
li form,.line{align-items:center;display:flex;gap:8px;justify-content:space-between}
.soft{color:var(--soft);font-size:13px}
a{color:var(--accent);text-underline-offset:.18em}
a:hover{color:var(--accent-strong)}
code{font-family:ui-monospace,Menlo,monospace;font-size:13px;overflow-wrap:anywhere}
fieldset{border:0;border-top:1px solid var(--line);margin:16px 0 0;padding:12px 0 0}
legend{float:left;font-weight:600;margin-bottom:8px;padding:0;width:100%}
label{color:var(--soft);display:block;font-size:13px;font-weight:500}
fieldset label{align-items:baseline;clear:both;color:var(--ink);display:flex;font-size:14px;font-weight:400;gap:8px;padding:4px 0}
input{accent-color:var(--accent)}
input[type=text],input[type=email]{background:var(--raised);border:1px solid var(--edge);border-radius:6px;color:var(--ink);display:block;font:inherit;font-size:16px;font-weight:400;margin:4px 0 12px;min-height:36px;padding:4px 10px;width:100%}
button{background:var(--raised);border:1px solid var(--edge);border-radius:6px;color:var(--ink);cursor:pointer;font:500 14px/1.2 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;min-height:36px;padding:4px 14px}
button:hover{background:var(--hover)}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.primary:hover{background:var(--accent-strong);border-color:var(--accent-strong)}
.ways{display:flex;gap:8px;margin-top:16px}
@media(pointer:coarse){button,input[type=text],input[type=email]{min-height:40px}label:has([type=checkbox]){padding:10px 0}}
:focus-visible{border-radius:6px;outline:2px solid var(--accent);outline-offset:1px}
.warning{background:var(--warn-wash);border-left:3px solid var(--warn);border-radius:0 6px 6px 0;padding:8px 12px}
`
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
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${pageText(title)} · Ken</title><style>${STYLE}</style>${script === undefined ? '' : `<script src="${script}" defer></script>`}</head><body><main><p class="brand">Ken</p><h1>${pageText(title)}</h1>${body}</main></body></html>`,
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
