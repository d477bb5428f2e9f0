import { sha256 } from './sha256.ts'
import { visible } from './trust/visible.ts'

export interface LonePage {
  readonly title: string
  /** Command that wrote the page, e.g. `ken graph`. */
  readonly generator: string
  readonly style: string
  /** The only script that can run; none if the page needs none. */
  readonly script?: string
  /** HTML in which every text is escaped by `pageText`. */
  readonly body: string
}

/** Self-contained HTML file: it makes no request, and only its own style and script apply. */
export function lonePage({ title, generator, style, script, body }: LonePage): string {
  const policy = [
    `default-src 'none'`,
    ...(script === undefined ? [] : [`script-src '${sourceHash(script)}'`]),
    `style-src '${sourceHash(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${generatorMark(generator)}
<title>${pageText(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

/** Identifies a page that Ken wrote. */
export const generatorMark = (generator: string): string => `<meta name="generator" content="${generator}">`

/** Third-party text in a page. Invisible characters are written out, so that they cannot reverse or hide text. */
export const pageText = (given: string): string => escapeHtml(visible(given))

/** Text for element content and attributes of a page that Ken writes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** Hash of an inline script or style for a content security policy. */
function sourceHash(text: string): string {
  // 256 bits are 42 groups of six plus four bits; base64 pads them with zeros and one `=`.
  const bits = [...sha256(text)].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const groups = bits.padEnd(258, '0').match(/.{6}/g)!
  return `sha256-${groups.map((group) => BASE64[parseInt(group, 2)]).join('')}=`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
