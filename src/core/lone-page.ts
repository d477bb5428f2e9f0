import { sha256 } from './sha256.ts'

/** Text as it stands between tags and in attributes of a page that Ken writes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** The hash of an inline script or style as a content security policy wants it. */
export function sourceHash(text: string): string {
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
