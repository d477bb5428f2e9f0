import type { Span } from './spans.ts'

/**
 * Decodes a run of base64, base32 or hexadecimal that decodes to text, once, and judges the result; the whole run is
 * redacted if there is a secret inside. Base64 may continue over lines of equal length.
 */
export function findEncoded(
  text: string,
  [from, to]: Span,
  holdsSecret: (decoded: string) => boolean,
  add: (span: Span) => void,
): number {
  let end = to
  for (let at = from; at < to;) {
    while (at < to && VALUES64[text.charCodeAt(at)]! < 0) at++
    const start = at
    while (at < to && VALUES64[text.charCodeAt(at)]! >= 0) at++
    if (at - start < SHORTEST || !CODES.some((code) => decode(text.slice(start, start + PROBE), code) !== undefined))
      continue
    while (text[at] === '=') at++
    const last = at === to ? endOfBlock(text, start, at) : at
    end = Math.max(end, last)
    const stretch = text.slice(start, last).replaceAll(/[^\w+/-]+/g, '')
    for (const code of CODES) {
      const decoded = decode(stretch, code)
      if (decoded === undefined || !holdsSecret(decoded)) continue
      add([start, last])
      break
    }
  }
  return end
}

const SHORTEST = 24
// Random data decodes to nine printable characters once in several thousand runs.
const PROBE = 12

interface Code {
  readonly values: Int8Array
  readonly bits: number
}

const codeOf = (bits: number, ...alphabets: readonly string[]): Code => {
  const values = new Int8Array(0x10000).fill(-1)
  for (const alphabet of alphabets)
    for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i % (1 << bits)
  return { values, bits }
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ALPHANUMERIC = `${UPPER}${UPPER.toLowerCase()}0123456789`
const BASE64 = codeOf(6, `${ALPHANUMERIC}+/`, `${ALPHANUMERIC}-_`)
const VALUES64 = BASE64.values
const CODES: readonly Code[] = [BASE64, codeOf(4, '0123456789abcdef', '0123456789ABCDEF'), codeOf(5, `${UPPER}234567`)]

/** Decodes to text, without the zeros of UTF-16; undefined at the first byte that is not text. */
function decode(stretch: string, { values, bits }: Code): string | undefined {
  const bytes: string[] = []
  let held = 0
  let count = 0
  for (let i = 0; i < stretch.length; i++) {
    const value = values[stretch.charCodeAt(i)]!
    if (value < 0) return undefined
    held = ((held << bits) | value) & 0xffff
    count += bits
    if (count < 8) continue
    count -= 8
    const byte = (held >> count) & 0xff
    if (byte >= 127 || (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9 && byte !== 0)) return undefined
    if (byte !== 0) bytes.push(String.fromCharCode(byte))
  }
  return bytes.join('')
}

/** End of the lines that continue this block. */
function endOfBlock(text: string, from: number, to: number): number {
  let end = to
  const width = to - from
  while (width >= 56) {
    const line = LINE.exec(text.slice(end, end + width + 60))
    if (line === null || line[1]!.length > width || decode(line[1]!, BASE64) === undefined) break
    end += line[0].length
    if (line[1]!.length < width) break
  }
  while (text[end] === '=') end++
  return end
}

const LINE = /^(?:\\n|\r?\n)[ \t]{0,40}([\w+/-]{1,512})(?![^\s=])/
