import { sha256 } from './sha256.ts'
import { visible } from './trust/visible.ts'

export interface LonePage {
  readonly title: string
  /** What wrote it: `ken graph`. */
  readonly generator: string
  readonly style: string
  /** The only one that can run; none where the page needs none. */
  readonly script?: string
  /** HTML: every text in it went through `pageText`. */
  readonly body: string
}

/** One HTML file that needs nothing else: it makes no request, and only its own style and script apply. */
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

/** By which a page is known that Ken wrote. */
export const generatorMark = (generator: string): string => `<meta name="generator" content="${generator}">`

/** A text of others in a page. What nobody sees is written out, so that it cannot turn a text around or hide in it. */
export const pageText = (given: string): string => escapeHtml(visible(given))

/** Text as it stands between tags and in attributes of a page that Ken writes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** The hash of an inline script or style as a content security policy wants it. */
function sourceHash(text: string): string {
  // 256 bits are 42 groups of six and four bits more; base64 fills them up with zeros and one `=`.
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
